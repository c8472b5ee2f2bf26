import type { LabClock } from '../../../src/lab/index.js';

interface Call {
  readonly timeNs: bigint;
  readonly callback: () => void;
}

/** A clock that a test moves by hand. */
export class ManualClock implements LabClock {
  #nowNs: bigint;
  #calls: Call[] = [];

  constructor(startNs: bigint) {
    this.#nowNs = startNs;
  }

  nowNs(): bigint {
    return this.#nowNs;
  }

  at(timeNs: bigint, callback: () => void): () => void {
    const call = { timeNs, callback };
    this.#calls.push(call);
    return () => {
      this.#calls = this.#calls.filter((other) => other !== call);
    };
  }

  /** How many calls are waiting. */
  get waiting(): number {
    return this.#calls.length;
  }

  /** Calls back everything that is due up to a time, each at its own time. */
  advanceTo(timeNs: bigint): void {
    for (let call = this.#nextUpTo(timeNs); call; call = this.#nextUpTo(timeNs)) {
      if (call.timeNs > this.#nowNs) this.#nowNs = call.timeNs;
      this.#run(call);
    }
    this.#nowNs = timeNs;
  }

  /** Sets the time, forwards or back, and only then calls back what is waiting. */
  jumpTo(timeNs: bigint): void {
    this.#nowNs = timeNs;
    for (const call of [...this.#calls]) this.#run(call);
  }

  #nextUpTo(timeNs: bigint): Call | undefined {
    return this.#calls
      .filter((call) => call.timeNs <= timeNs)
      .sort((a, b) => Number(a.timeNs - b.timeNs))[0];
  }

  #run(call: Call): void {
    this.#calls = this.#calls.filter((other) => other !== call);
    call.callback();
  }
}
