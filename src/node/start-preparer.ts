import { earlier } from '../core/index.js';
import type { TransportWriter } from '../core/ports/index.js';
import type { SentSlot, TimedSlot, TimedWriter } from '../dds/index.js';
import type { RealSession } from './session-factory.js';
import { startSignalSample } from './start-signal.js';

/** Vehicle states that are older than this are stale, so a start signal is repeated for no longer. */
const longestNs = 1_000_000_000n;

/** How long before it is due the next start signal is prepared, ns, and as a part of the period. */
const leadNs = 2_000_000n;
const leadPart = 4n;

/** How late this thread may be before the last start signal is repeated, ns, and as a part of the period. */
const graceNs = 1_000_000n;
const gracePart = 10n;

/** The slot of a start signal is over after this part of the period. */
const sendableParts = 2n;

/** The time of the period is the first field, after the encapsulation header, bytes. */
const tNowOffset = 4;

/** Two looks at the clocks, and so at when something is due, differ by less than this, ns. */
const lookNs = 100_000n;

export interface StartPreparerOptions {
  readonly session: RealSession;
  readonly timedWriter: TimedWriter;
  /** Of the start signals. */
  readonly writer: TransportWriter;
  readonly periodNs: bigint;
  readonly absentVehicles: 'omit' | 'default';
}

/**
 * Prepares each start signal shortly before it is due, for the pacer's thread to send it at its time:
 * so neither a collection of garbage nor foreign work in this thread delays a period. While this
 * thread stands still, the pacer repeats the last one for the periods that follow: that costs the
 * freshness of the states, and not the rhythm. For a second at most, since nobody forwards commands
 * meanwhile.
 */
export class StartPreparer {
  readonly #options: StartPreparerOptions;
  readonly #leadNs: bigint;
  readonly #graceNs: bigint;
  readonly #limit: number;
  #preparedFor: bigint | null = null;
  /** The start signal that was due so long ago that it is no longer the pacer's. */
  #withdrawn: bigint | null = null;
  #possible = true;
  /** Number of the period that was prepared last, and when it was due, ns. */
  #period = 0;
  #dueAtNs: bigint | null = null;

  constructor(options: StartPreparerOptions) {
    const { periodNs } = options;
    this.#options = options;
    this.#leadNs = earlier(leadNs, periodNs / leadPart);
    this.#graceNs = earlier(graceNs, periodNs / gracePart);
    this.#limit = Math.max(1, Number(longestNs / periodNs));
  }

  /** When `prepare` is to be called next, monotonic, ns. */
  get prepareAtNs(): bigint | null {
    const expected = this.#options.session.expectedStart;
    if (!this.#possible || expected === null || expected.tNowNs === this.#preparedFor) return null;
    return expected.dueAtNs - this.#leadNs;
  }

  /** Prepares the next start signal when it is time to. */
  prepare(nowNs: bigint): void {
    const { prepareAtNs } = this;
    if (prepareAtNs === null || nowNs < prepareAtNs - lookNs) return;
    const { session, timedWriter, writer, absentVehicles } = this.#options;
    const signal = session.expectedSignal();
    if (signal === null) return;
    const { tNowNs } = signal;
    this.#preparedFor = tNowNs;
    this.#countPeriods(prepareAtNs + this.#leadNs);
    this.#possible = timedWriter.schedule({
      writer,
      bytes: startSignalSample(signal, absentVehicles),
      patchOffset: tNowOffset,
      slots: this.#slots(tNowNs, prepareAtNs + this.#leadNs),
    });
  }

  /**
   * To be called after `prepare`.
   * @returns true when the pacer sends the start signal that is due, or has sent it; an event says so.
   */
  leavesToPacer(nowNs: bigint): boolean {
    const { session, timedWriter } = this.#options;
    const expected = session.expectedStart;
    if (!this.#possible || expected === null || nowNs < expected.dueAtNs) return false;
    const { tNowNs, dueAtNs } = expected;
    if (this.#preparedFor !== tNowNs || this.#withdrawn === tNowNs) return false;
    if (nowNs > this.#endOf(dueAtNs)) {
      // If it was sent nevertheless, the event comes before the next tick.
      timedWriter.cancel();
      this.#withdrawn = tNowNs;
    }
    return true;
  }

  #countPeriods(dueAtNs: bigint): void {
    const { periodNs } = this.#options;
    if (this.#dueAtNs !== null) {
      const passed = Math.round(Number(dueAtNs - this.#dueAtNs) / Number(periodNs));
      this.#period += Math.max(1, passed);
    }
    this.#dueAtNs = dueAtNs;
  }

  #slots(tNowNs: bigint, dueAtNs: bigint): TimedSlot[] {
    const { session, periodNs } = this.#options;
    const length = Math.min(this.#limit, session.startsLeft);
    return Array.from({ length }, (_, i) => {
      const laterNs = BigInt(i) * periodNs;
      return {
        index: 2 * (this.#period + i) + (i === 0 ? 0 : 1),
        notBeforeNs: dueAtNs + laterNs + (i === 0 ? 0n : this.#graceNs),
        notAfterNs: this.#endOf(dueAtNs + laterNs),
        value: tNowNs + laterNs,
      };
    });
  }

  #endOf(dueAtNs: bigint): bigint {
    return dueAtNs + this.#options.periodNs / sendableParts;
  }
}

/** True for a start signal with the content of an earlier period: these have odd indices. */
export function isRepeated({ index }: SentSlot): boolean {
  return index % 2 === 1;
}
