import { earlier } from './time.js';

/** What is due in a wait. */
export interface WaitCheck {
  /** What is waited for is to be named. */
  readonly name: boolean;
  /** The time-out is over; true once per wait. */
  readonly timedOut: boolean;
  /** How long the wait has lasted, ns. */
  readonly waitedNs: bigint;
}

/** A wait that names what it waits for again and again, and may have an end; monotonic clock. */
export class BoundedWait {
  readonly #timeoutNs: bigint | null;
  readonly #nameEveryNs: bigint;
  #sinceNs = 0n;
  #nameAtNs = 0n;
  #timeoutAtNs: bigint | null = null;

  /**
   * @param timeoutNs longest wait, ns, above 0; null: for ever.
   * @param nameEveryNs from one naming to the next, ns, above 0.
   */
  constructor(timeoutNs: bigint | null, nameEveryNs: bigint) {
    this.#timeoutNs = timeoutNs;
    this.#nameEveryNs = nameEveryNs;
  }

  /** When {@link check} is due, ns. */
  get wakeAtNs(): bigint {
    return earlier(this.#nameAtNs, this.#timeoutAtNs ?? this.#nameAtNs);
  }

  /** The wait begins, or begins anew. */
  start(nowNs: bigint): void {
    this.#sinceNs = nowNs;
    this.#nameAtNs = nowNs + this.#nameEveryNs;
    this.#timeoutAtNs = this.#timeoutNs === null ? null : nowNs + this.#timeoutNs;
  }

  /** Says what is due. */
  check(nowNs: bigint): WaitCheck {
    const name = nowNs >= this.#nameAtNs;
    if (name) this.#nameAtNs = nowNs + this.#nameEveryNs;
    const timedOut = this.#timeoutAtNs !== null && nowNs >= this.#timeoutAtNs;
    if (timedOut) this.#timeoutAtNs = null;
    return { name, timedOut, waitedNs: nowNs - this.#sinceNs };
  }
}
