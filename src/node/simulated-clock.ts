import { setTimeout as wait } from 'node:timers/promises';
import { HlcError } from '../core/errors/index.js';
import { RosClock, type RosNodeHandle } from '../ros2/index.js';
import type { Logger } from './logger.js';

/** A node has heard of the others on its domain by then, ms. */
const discoveryMs = 1000;

/** `/clock` on every side on ROS 2, for a middleware that is the source of simulated time. */
export class SimulatedClock {
  readonly #clocks: readonly RosClock[];
  readonly #madeAtMs = performance.now();
  readonly #told = new Set<string>();

  /** @param handles of the nodes, which were made just now. */
  constructor(
    handles: readonly RosNodeHandle[],
    private readonly log: Logger,
    private readonly stopped: AbortSignal,
  ) {
    this.#clocks = handles.map((handle) => new RosClock(handle));
  }

  /**
   * Begins to publish, once the other nodes were heard.
   * @throws what `stopped` aborts with.
   * @throws HlcError `HLC_ROS_CLOCK_TAKEN`, `HLC_ROS_MESSAGES`.
   */
  async open(): Promise<void> {
    if (this.#clocks.length === 0) return;
    const leftMs = this.#madeAtMs + discoveryMs - performance.now();
    await wait(Math.max(0, leftMs), undefined, { signal: this.stopped });
    for (const clock of this.#clocks) clock.open();
  }

  /** @param timeNs simulated time, ns. */
  tell(timeNs: bigint): void {
    for (const clock of this.#clocks) clock.tell(timeNs);
  }

  /** To be called every second: repeats a time that stands, and looks for other sources. */
  tend(): void {
    for (const clock of this.#clocks) {
      clock.repeat();
      const node = clock.other();
      if (node === undefined || this.#told.has(node)) continue;
      this.#told.add(node);
      const { code, message } = new HlcError('HLC_ROS_CLOCK_TAKEN', { node });
      this.log.error({ code }, message);
    }
  }
}
