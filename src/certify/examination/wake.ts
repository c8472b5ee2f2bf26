import { nsPerMs } from '../../core/index.js';
import type { Clocks, Pacer } from '../../dds/index.js';

/** How often this process looks whether it was let run, ms. */
const lookMs = 5;

/** Sleeps until instants of the monotonic clock, and notices when the machine does not let it run. */
export class Wake {
  #resolve: (() => void) | undefined;
  #lookedAtNs: bigint;
  readonly #timer: NodeJS.Timeout;

  /** @param onStall called with how long it was held up, ns. */
  constructor(
    private readonly clocks: Clocks,
    private readonly pacer: Pacer,
    onStall: (forNs: bigint) => void,
  ) {
    pacer.onTick(() => this.#resolve?.());
    this.#lookedAtNs = clocks.monotonicNs();
    this.#timer = setInterval(() => {
      const nowNs = clocks.monotonicNs();
      const heldNs = nowNs - this.#lookedAtNs - BigInt(lookMs) * nsPerMs;
      this.#lookedAtNs = nowNs;
      if (heldNs > BigInt(lookMs) * nsPerMs) onStall(heldNs);
    }, lookMs);
  }

  /** Settles at this instant, ns, or at once when it is past. */
  at(instantNs: bigint): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.pacer.arm(instantNs);
    });
  }

  /** Settles after this time, ns. */
  after(ns: bigint): Promise<void> {
    return this.at(this.clocks.monotonicNs() + ns);
  }

  /** Settles as soon as it is true, or with false when the time is over. */
  async until(isTrue: () => boolean, withinNs: bigint): Promise<boolean> {
    const endNs = this.clocks.monotonicNs() + withinNs;
    while (!isTrue()) {
      if (this.clocks.monotonicNs() >= endNs) return false;
      await this.after(nsPerMs);
    }
    return true;
  }

  close(): void {
    clearInterval(this.#timer);
    this.pacer.close();
  }
}
