import type { Command } from './command.js';
import type { Effect } from './effects.js';
import {
  expectedStart,
  type ExpectedStart,
  idlePacing,
  nextStart,
  pace,
  paceStarted,
  type PaceResult,
  type Pacing,
  planFirst,
  type Start,
} from './pacing.js';
import { realTimeGrid } from './period-grid.js';
import { PreparedStarts } from './prepared-starts.js';
import type { RealTimeConfig } from './session-config.js';
import type { StartSentEvent } from './session-events.js';
import { startLead, startSlots } from './start-plan.js';
import { type ClockReading, earlier, nsPerS } from './time.js';
import type { Worlds } from './worlds.js';

/** A pacing, and what each event asks of it: it changes with each start signal only. */
interface Paced {
  readonly pacing: Pacing;
  /** The grid time of the next start, ns; null where none is planned. */
  readonly nextStartNs: bigint | null;
  readonly expected: ExpectedStart | null;
  /** When the expected start is to be prepared, monotonic, ns; null where none is expected. */
  readonly prepareAtNs: bigint | null;
  /** When both clocks are to be read once more, monotonic, ns. */
  readonly readAgainAtNs: bigint;
}

function paced(pacing: Pacing, periodNs: bigint): Paced {
  const expected = expectedStart(pacing);
  return {
    pacing,
    nextStartNs: nextStart(pacing),
    expected,
    prepareAtNs: expected && expected.dueAtNs - startLead(periodNs),
    readAgainAtNs: pacing.readAtNs + nsPerS,
  };
}

/**
 * The start signals of a run in real time: when the next one is due, which one is prepared, and how
 * many went out. What the pacing finds takes effect with {@link take}.
 */
export class StartSchedule<S, O, C extends Command> {
  readonly #config: RealTimeConfig;
  readonly #worlds: Worlds<S, O>;
  readonly #effects: Effect<S, O, C>[];
  readonly #prepared = new PreparedStarts<S, O>();
  #paced: Paced;
  #paceAtNs: bigint;
  #sent = 0;

  /**
   * @param now both clocks, now.
   * @throws HlcError `HLC_TIME_PERIOD` or `HLC_TIME_OFFSET`.
   */
  constructor(
    config: RealTimeConfig,
    worlds: Worlds<S, O>,
    effects: Effect<S, O, C>[],
    now: ClockReading,
  ) {
    this.#config = config;
    this.#worlds = worlds;
    this.#effects = effects;
    const grid = realTimeGrid(config.periodNs, config.offsetNs);
    const pacing = idlePacing(grid, now, config.overrun, config.latestStartNs);
    this.#paced = paced(pacing, config.periodNs);
    this.#paceAtNs = now.monotonicNs;
  }

  /** Start signals until the end of the run; infinite when it has none. */
  get left(): number {
    const { periods } = this.#config;
    return periods === null ? Number.POSITIVE_INFINITY : periods - this.#sent;
  }

  /** When {@link pace} is due while no start is planned, monotonic, ns. */
  get paceAtNs(): bigint {
    return this.#paceAtNs;
  }

  /** When {@link pace} is due in a run, monotonic, ns. */
  get nextAtNs(): bigint {
    return earlier(this.#nextStartAtNs(), this.#paced.readAgainAtNs);
  }

  /** The wall clock at a monotonic instant, ns. */
  realtimeAt(monotonicNs: bigint): bigint {
    return monotonicNs + this.#paced.pacing.aheadNs;
  }

  /** No start signal of an earlier time than this is made any more, ns. @param nowNs the wall clock. */
  horizonNs(nowNs: bigint): bigint {
    return earlier(nowNs, this.#paced.nextStartNs ?? nowNs);
  }

  /** Plans the first start at the first grid time not before this one, ns. */
  begin(earliestNs: bigint, nowNs: bigint): void {
    this.#pace(planFirst(this.#paced.pacing, earliestNs));
    this.#paceAtNs = nowNs;
  }

  /** No start is planned any more. */
  cancel(): void {
    this.#pace({ ...this.#paced.pacing, target: { kind: 'none' } });
    this.#effects.push({ kind: 'cancelStart' });
  }

  /** A start signal that did not go out in time does not go out any more. @param nowNs monotonic, ns. */
  forgetOverdue(nowNs: bigint): void {
    this.#prepared.forgetOverdue(nowNs);
  }

  /** What is due now. */
  pace(now: ClockReading): PaceResult {
    return pace(this.#paced.pacing, now);
  }

  take({ pacing, wakeAtNs }: PaceResult): void {
    this.#pace(pacing);
    this.#paceAtNs = wakeAtNs;
  }

  /** Reports a start signal that went out; null when it is of no plan of this session. */
  report(event: StartSentEvent): { readonly dueAtNs: bigint } | null {
    const sent = this.#prepared.sent(event);
    if (sent === null) {
      // It is of a plan that is forgotten. The next number is above that of every start signal that went out.
      this.#prepared.begun(event.index);
      return null;
    }
    this.#effects.push(sent.report);
    this.#sent++;
    return sent;
  }

  /** The period of a start signal begins. @param dueAtNs as {@link report} says. */
  started({ index, tNowNs, now }: StartSentEvent, dueAtNs: bigint): PaceResult {
    this.#prepared.begun(index);
    return paceStarted(this.#paced.pacing, { tNowNs, dueAtNs }, now);
  }

  /** Prepares the next start signal when it is time to. */
  prepareExpected(nowNs: bigint): void {
    const { expected, prepareAtNs } = this.#paced;
    if (expected === null || prepareAtNs === null || this.left === 0) return;
    if (nowNs >= prepareAtNs) this.#prepare(expected.tNowNs, expected.dueAtNs, nowNs);
  }

  /** Prepares a start signal that is due; it counts when it went out. */
  prepareDue({ tNowNs, latenessNs }: Start, nowNs: bigint): void {
    this.#prepare(tNowNs, nowNs - latenessNs, nowNs);
  }

  #prepare(tNowNs: bigint, dueAtNs: bigint, nowNs: bigint): void {
    const prepared = this.#prepared;
    if (prepared.has(tNowNs, dueAtNs)) return;
    const { periodNs, latestStartNs: latestNs } = this.#config;
    // The other policies say themselves what follows a start signal that is late.
    const left = this.#config.overrun.kind === 'skip' ? this.left : 1;
    const start = { index: prepared.nextIndex, tNowNs, dueAtNs };
    const slots = startSlots(start, periodNs, nowNs, { latestNs, left });
    this.#effects.push(prepared.prepare(this.#worlds.peek(tNowNs, periodNs), dueAtNs, slots));
  }

  #nextStartAtNs(): bigint {
    if (this.left === 0) return this.#paceAtNs;
    const { overdueAtNs } = this.#prepared;
    // One that did not go out by then is an overrun.
    if (overdueAtNs !== null) return overdueAtNs;
    return this.#paced.prepareAtNs ?? this.#paceAtNs;
  }

  #pace(pacing: Pacing): void {
    this.#paced = paced(pacing, this.#config.periodNs);
  }
}
