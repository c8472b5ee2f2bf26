import { earlier } from '../core/index.js';
import type { TransportWriter } from '../core/ports/index.js';
import type { Pacer } from '../dds/index.js';
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

/** Two looks at the clocks, and so at when something is due, differ by less than this, ns. */
const lookNs = 100_000n;

export interface StartPreparerOptions {
  readonly session: RealSession;
  readonly pacer: Pacer;
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
  #possible = true;

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
    const { session, pacer, writer, periodNs, absentVehicles } = this.#options;
    const signal = session.expectedSignal();
    if (signal === null) return;
    const { tNowNs } = signal;
    this.#preparedFor = tNowNs;
    this.#possible = pacer.prepareStart(writer, {
      sample: startSignalSample(signal, absentVehicles),
      tNowNs,
      dueAtNs: prepareAtNs + this.#leadNs,
      periodNs,
      graceNs: this.#graceNs,
      left: Math.min(this.#limit, session.startsLeft),
    });
  }

  /**
   * To be called before the session is woken.
   * @returns false when the pacer has sent the start signal that is due; it tells so by an event.
   */
  claim(nowNs: bigint): boolean {
    const { session, pacer } = this.#options;
    const expected = session.expectedStart;
    if (expected === null || nowNs < expected.dueAtNs) return true;
    return pacer.claim(expected.dueAtNs, Math.min(this.#limit, session.startsLeft - 1));
  }
}
