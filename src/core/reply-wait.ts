import { earlier, NS_PER_S } from './clock-reading.js';

/** Those whose reply is missing are named this often. */
const NAME_NS = NS_PER_S;

/** What is due in the wait for the replies to a step. */
export interface WaitCheck {
  /** The missing are to be named. */
  readonly name: boolean;
  /** The reply time-out is over; true once per step. */
  readonly timedOut: boolean;
  /** How long the wait has lasted, ns. */
  readonly waitedNs: bigint;
}

/** The wait for the replies to a step, on the monotonic clock. */
export class ReplyWait {
  readonly #timeoutNs: bigint | null;
  #sinceNs = 0n;
  #nameAtNs = 0n;
  #timeoutAtNs: bigint | null = null;

  /** @param timeoutNs reply time-out, ns; null: none. */
  constructor(timeoutNs: bigint | null) {
    this.#timeoutNs = timeoutNs;
  }

  /** When {@link check} is due, ns. */
  get wakeAtNs(): bigint {
    return earlier(this.#nameAtNs, this.#timeoutAtNs ?? this.#nameAtNs);
  }

  /** The wait begins, or begins anew. */
  start(nowNs: bigint): void {
    this.#sinceNs = nowNs;
    this.#nameAtNs = nowNs + NAME_NS;
    this.#timeoutAtNs = this.#timeoutNs === null ? null : nowNs + this.#timeoutNs;
  }

  /** Says what is due. */
  check(nowNs: bigint): WaitCheck {
    const name = nowNs >= this.#nameAtNs;
    if (name) this.#nameAtNs = nowNs + NAME_NS;
    const timedOut = this.#timeoutAtNs !== null && nowNs >= this.#timeoutAtNs;
    if (timedOut) this.#timeoutAtNs = null;
    return { name, timedOut, waitedNs: nowNs - this.#sinceNs };
  }
}
