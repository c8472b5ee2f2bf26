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

  /** Now, of an event. @param tNowNs of the step under way, ns. */
  momentAt(monotonicNs: bigint, tNowNs: bigint): Moment {
    const moment = this.peekAt(monotonicNs, tNowNs);
    if (moment.steadyNs > this.#ns) {
      this.#ns = moment.steadyNs;
      this.#tNowNs = tNowNs;
      this.#monotonicNs = later(this.#monotonicNs, monotonicNs);
    }
    return moment;
  }

  /** The same for a question: the time of later events does not depend on whether it was asked. */
  peekAt(monotonicNs: bigint, tNowNs: bigint): Moment {
    const passedNs = later(later(monotonicNs - this.#monotonicNs, tNowNs - this.#tNowNs), 0n);
    return { steadyNs: this.#ns + passedNs, stampNs: tNowNs };
  }

  /** The instant, monotonic, ns, at which this is the steady time if no step begins before. */
  realTimeOf(steadyNs: bigint): bigint {
    return this.#monotonicNs + (steadyNs - this.#ns);
  }
}
