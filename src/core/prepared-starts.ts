import type { PrepareStart, StartSignal, StartSignalSent } from './effects.js';
import type { StartSentEvent } from './session-events.js';
import type { StartSlots } from './start-plan.js';
import { later, nsPerMs } from './time.js';
import type { WorldEntry } from './world.js';

/** A start signal that was prepared: what it says, and from which number on. */
interface PreparedStart<S, O> {
  readonly plan: number;
  readonly index: number;
  readonly signal: StartSignal<S, O>;
  /** Monotonic, ns. */
  readonly dueAtNs: bigint;
  /** From this instant on it does not go out any more, ns. */
  readonly overdueAtNs: bigint;
}

/** A start signal that went out. */
interface SentStart<S, O> {
  readonly report: StartSignalSent<S, O>;
  /** Monotonic, ns. */
  readonly dueAtNs: bigint;
}

/** A wall clock that is slewed moves the instant of a start by less than this, ns. */
const slewNs = nsPerMs;

/** The start signals that were handed over to be written when they are due. */
export class PreparedStarts<S, O> {
  /** The newest plan, and the one before it, whose slots may have been written meanwhile. */
  #newest: PreparedStart<S, O> | null = null;
  #before: PreparedStart<S, O> | null = null;
  #nextIndex = 0;
  #plans = 0;

  /** Number of the start signal of the next period. */
  get nextIndex(): number {
    return this.#nextIndex;
  }

  /**
   * The instant from which on the start signal of the next period does not go out, monotonic, ns; null while it is
   * not prepared.
   */
  get overdueAtNs(): bigint | null {
    return this.#newest?.index === this.#nextIndex ? this.#newest.overdueAtNs : null;
  }

  /** True while the start signal of the next period is prepared for this time, and at this instant, ns. */
  has(tNowNs: bigint, dueAtNs: bigint): boolean {
    const newest = this.#newest;
    if (newest?.index !== this.#nextIndex) return false;
    const movedNs = dueAtNs - newest.dueAtNs;
    return newest.signal.tNowNs === tNowNs && later(movedNs, -movedNs) < slewNs;
  }

  /** Hands over the start signal of the next period. @param dueAtNs monotonic, ns. */
  prepare(signal: StartSignal<S, O>, dueAtNs: bigint, slots: StartSlots): PrepareStart<S, O> {
    const plan = ++this.#plans;
    // Until this plan is taken, the former one may still be written. After `forgetOverdue` that is `#before` already.
    this.#before = this.#newest ?? this.#before;
    const overdueAtNs = slots.first.notAfterNs + 1n;
    this.#newest = { plan, index: this.#nextIndex, signal, dueAtNs, overdueAtNs };
    const { tNowNs, periodNs, activeVehicleIds, states, observations } = signal;
    // Written out: a spread takes several times as long, in every period.
    return {
      kind: 'prepareStart',
      tNowNs,
      periodNs,
      activeVehicleIds,
      states,
      observations,
      plan,
      slots,
    };
  }

  /** What went out; null when it is of none of these plans. */
  sent({ plan, index, tNowNs, now }: StartSentEvent): SentStart<S, O> | null {
    const prepared = [this.#newest, this.#before].find((each) => each?.plan === plan);
    if (prepared === undefined || prepared === null) return null;
    const standIn = index > prepared.index;
    const { periodNs, activeVehicleIds, states, observations } = standIn
      ? asOf(prepared.signal, tNowNs)
      : prepared.signal;
    const dueAtNs = prepared.dueAtNs + BigInt(index - prepared.index) * periodNs;
    const report = {
      kind: 'startSignalSent',
      tNowNs,
      periodNs,
      activeVehicleIds,
      states,
      observations,
      latenessNs: now.monotonicNs - dueAtNs,
      standIn,
    } as const;
    return { report, dueAtNs };
  }

  /** The period of this start signal has begun. */
  begun(index: number): void {
    this.#nextIndex = Math.max(this.#nextIndex, index + 1);
  }

  /** A start signal that did not go out in time does not go out any more. @param nowNs monotonic, ns. */
  forgetOverdue(nowNs: bigint): void {
    const { overdueAtNs } = this;
    if (overdueAtNs === null || nowNs < overdueAtNs) return;
    this.#before = this.#newest;
    this.#newest = null;
  }
}

/** A start signal that stands in for that of a later period: the same states, older by then. */
function asOf<S, O>(signal: StartSignal<S, O>, tNowNs: bigint): StartSignal<S, O> {
  const olderNs = tNowNs - signal.tNowNs;
  const older = <E extends WorldEntry<unknown>>(entry: E): E =>
    entry.present ? { ...entry, ageNs: entry.ageNs + olderNs } : entry;
  return {
    ...signal,
    tNowNs,
    states: signal.states.map(older),
    observations: signal.observations.map(older),
  };
}
