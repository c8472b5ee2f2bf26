import type { LabClock } from './lab-clock.js';

interface Call {
  readonly timeNs: bigint;
  readonly callback: () => void;
}

/** A clock that stands still until it is moved on. Calls at the same time come in their order. */
export class SimulatedClock implements LabClock {
  #nowNs = 0n;
  #calls: Call[] = [];

  nowNs(): bigint {
    return this.#nowNs;
  }

  at(timeNs: bigint, callback: () => void): () => void {
    const call = { timeNs, callback };
    const after = this.#calls.findIndex((other) => other.timeNs > timeNs);
    this.#calls.splice(after < 0 ? this.#calls.length : after, 0, call);
    return () => {
      this.#calls = this.#calls.filter((other) => other !== call);
    };
  }

  /** Moves to a time, and calls back on the way, each at its own time; never moves back. */
  advanceTo(timeNs: bigint): void {
    for (let call = this.#calls[0]; call && call.timeNs <= timeNs; call = this.#calls[0]) {
      this.#calls.shift();
      if (call.timeNs > this.#nowNs) this.#nowNs = call.timeNs;
      call.callback();
    }
    this.skipTo(timeNs);
  }

  /** Moves to a time without calling back; what has become due is called at the next move. */
  skipTo(timeNs: bigint): void {
    if (timeNs > this.#nowNs) this.#nowNs = timeNs;
  }
}
