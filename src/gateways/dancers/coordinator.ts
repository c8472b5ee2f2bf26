import type { DancersConfig } from './protocol/config.js';
import { emptyAnswer, type Side, type SideName } from './side.js';

/** A payload of each side, or for each side. */
export type Payloads = Readonly<Record<SideName, Uint8Array>>;

const none = new Uint8Array();
export const noPayloads: Payloads = { physics: none, network: none };

/**
 * Runs windows of a DANCERS simulation: both sides step at the same time, and payloads change hands
 * between two windows only. The original hands them over as they arrive, so that its runs differ.
 */
export class Coordinator {
  #timeUs = 0;

  /** @param onTime Simulated time advanced, microseconds. */
  constructor(
    private readonly config: Pick<DancersConfig, 'windowUs' | SideName>,
    private readonly sides: Readonly<Record<SideName, Pick<Side, 'step'>>>,
    private readonly onTime: (timeUs: number) => void,
  ) {}

  /** Simulated time, microseconds. */
  get timeUs(): number {
    return this.#timeUs;
  }

  /**
   * Runs one window.
   * @param received What each side receives with its first BEGIN.
   * @returns the payload in the last answer of each side; empty without one.
   * @throws HlcError `HLC_DANCERS_SIDE` of the side that fails first.
   */
  async window(received: Payloads): Promise<Payloads> {
    const [physics, network] = await Promise.all([
      this.steps('physics', received.physics),
      this.steps('network', received.network),
    ]);
    return { physics, network };
  }

  /**
   * Runs one window of one side.
   * @param received What it receives with its first BEGIN.
   * @returns the payload in its last answer; empty without one.
   * @throws HlcError `HLC_DANCERS_SIDE`.
   */
  async steps(name: SideName, received: Uint8Array): Promise<Uint8Array> {
    const side = this.sides[name];
    const steps = this.config.windowUs / this.config[name].stepUs;
    let payload: Uint8Array = none;
    for (let step = 0; step < steps; step++) {
      const answer = await side.step(step === 0 ? received : none);
      if (answer === emptyAnswer) continue;
      payload = answer;
      if (name === this.#clockSide) this.#advance(this.config[name].stepUs);
    }
    return payload;
  }

  /** The side with the smaller step keeps the time. */
  get #clockSide(): SideName {
    return this.config.network.stepUs < this.config.physics.stepUs ? 'network' : 'physics';
  }

  #advance(stepUs: number): void {
    this.#timeUs += stepUs;
    this.onTime(this.#timeUs);
  }
}
