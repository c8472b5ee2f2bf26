import { later, type Moment } from './time.js';

/** The time of stops in lock-step: runs with simulated or with real time, whichever is faster, so it never stands. */
export class SteadyTime {
  #ns: bigint;
  #tNowNs: bigint;
  #monotonicNs: bigint;

  /** @param tNowNs of the step under way, ns. @param monotonicNs now. */
  constructor(tNowNs: bigint, monotonicNs: bigint) {
    this.#ns = tNowNs;
    this.#tNowNs = tNowNs;
    this.#monotonicNs = monotonicNs;
  }

  /** Now. @param tNowNs of the step under way, ns. */
  momentAt(monotonicNs: bigint, tNowNs: bigint): Moment {
    const passedNs = later(later(monotonicNs - this.#monotonicNs, tNowNs - this.#tNowNs), 0n);
    if (passedNs > 0n) {
      this.#ns += passedNs;
      this.#tNowNs = tNowNs;
      this.#monotonicNs = later(this.#monotonicNs, monotonicNs);
    }
    return { steadyNs: this.#ns, stampNs: tNowNs };
  }

  /** The instant, monotonic, ns, at which this is the steady time if no step begins before. */
  realTimeOf(steadyNs: bigint): bigint {
    return this.#monotonicNs + (steadyNs - this.#ns);
  }
}
