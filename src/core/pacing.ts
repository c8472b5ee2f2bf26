import { earlier, later, type ClockReading, nsPerS } from './time.js';
import {
  firstAtOrAfter,
  nearest,
  nextAfter,
  type PeriodGrid,
  periodsBetween,
} from './period-grid.js';

/** What happens when a start signal comes too late to be sent. */
export type OverrunPolicy =
  /** Whole periods are left out and counted; the next start signal is no overrun. */
  | { readonly kind: 'skip' }
  /**
   * Of the periods that were missed, at most this many last ones are made up for, one every half period,
   * until the start signals are on time again; the others are left out and counted.
   */
  | { readonly kind: 'catchUp'; readonly limit: number }
  /** The run is to end. */
  | { readonly kind: 'halt' };

/** What the pacer waits for. */
export type PaceTarget =
  /** Nothing; only the relation of the clocks is kept. */
  | { readonly kind: 'none' }
  /** The first start, at this time of the wall clock, ns. */
  | { readonly kind: 'first'; readonly tNs: bigint }
  /** A further start, expected one period after the last, at this monotonic instant, ns. */
  | { readonly kind: 'rhythm'; readonly expectedAtNs: bigint }
  /** A start that is made up for: its grid time, and not before this monotonic instant, ns. */
  | { readonly kind: 'catchUp'; readonly tNs: bigint; readonly notBeforeNs: bigint };

/**
 * The state of the pacer: which start is due next, and how the wall clock stands to the monotonic
 * clock. A plain value: {@link pace} makes a new one.
 */
export interface Pacing {
  readonly grid: PeriodGrid;
  readonly overrun: OverrunPolicy;
  /** A start that is late by more than this is an overrun, ns; less than a period. */
  readonly latestNs: bigint;
  readonly target: PaceTarget;
  /** Wall clock minus monotonic clock at the last reading, ns. */
  readonly aheadNs: bigint;
  /** Monotonic instant of the last reading, ns. */
  readonly readAtNs: bigint;
}

/** A start that is to happen now. */
export interface Start {
  /** Its grid time, ns. */
  readonly tNowNs: bigint;
  /** By how much it is late, ns: 0 to `latestNs`, more when it is made up for. */
  readonly latenessNs: bigint;
}

interface Found {
  readonly start: Start | null;
  /** Periods left out by an overrun. */
  readonly skipped: number;
  /** True when an overrun ends the run. */
  readonly halted: boolean;
}

/** What {@link pace} found. */
export interface PaceResult extends Found {
  readonly pacing: Pacing;
  /** Size of a step of the wall clock since the last reading, ns, forward is positive; or null. */
  readonly clockStepNs: bigint | null;
  /** Call {@link pace} again at this monotonic instant, ns. */
  readonly wakeAtNs: bigint;
}

/** The relation of the clocks is renewed at least this often, so that a long wait stays true. */
const renewNs = nsPerS;

/**
 * The wall clock is said to have stepped when between two readings it ran faster or slower than
 * the monotonic clock by more than this fraction. chrony slews by at most 1/12, ntpd by 1/2000.
 */
const stepFraction = 8n;

/**
 * After a stall of more periods than this, a change is measured as if it were this many: one that
 * moves the next start to another grid time is always reported.
 */
const maxSpanPeriods = 3n;

/** Starts that are made up for are this part of a period apart. */
const catchUpPart = 2n;

/** A pacer without a target. */
export function idlePacing(
  grid: PeriodGrid,
  now: ClockReading,
  overrun: OverrunPolicy,
  latestNs: bigint,
): Pacing {
  const aheadNs = now.realtimeNs - now.monotonicNs;
  const readAtNs = now.monotonicNs;
  return { grid, overrun, latestNs, target: { kind: 'none' }, aheadNs, readAtNs };
}

/** Plans the first start: the first grid time at or after `earliestNs`, ns of the wall clock. */
export function planFirst(pacing: Pacing, earliestNs: bigint): Pacing {
  return { ...pacing, target: { kind: 'first', tNs: firstAtOrAfter(pacing.grid, earliestNs) } };
}

/** The time of the next start as far as the clocks are known, ns; null without a target. */
export function nextStart({ grid, target, aheadNs }: Pacing): bigint | null {
  switch (target.kind) {
    case 'none':
      return null;
    case 'first':
    case 'catchUp':
      return target.tNs;
    case 'rhythm':
      return nearest(grid, target.expectedAtNs + aheadNs);
  }
}

/** A start that is to come, of a pacer that is on time. */
export interface ExpectedStart {
  /** Its grid time, ns. */
  readonly tNowNs: bigint;
  /** When it is due, monotonic, as far as the clocks are known, ns. */
  readonly dueAtNs: bigint;
}

/** The next start; null without a target, and while starts are made up for. */
export function expectedStart(pacing: Pacing): ExpectedStart | null {
  const tNowNs = nextStart(pacing);
  if (tNowNs === null || pacing.target.kind === 'catchUp') return null;
  return { tNowNs, dueAtNs: tNowNs - pacing.aheadNs };
}

/**
 * The start of this time has happened at this instant. Where {@link pace} would have another one at
 * this instant, since the wall clock stepped meanwhile, the rhythm goes on from this one.
 */
export function paceStarted(
  pacing: Pacing,
  { tNowNs, dueAtNs }: ExpectedStart,
  now: ClockReading,
): PaceResult {
  const result = pace(pacing, now);
  if (result.start?.tNowNs === tNowNs && result.clockStepNs === null) return result;
  const found = {
    start: { tNowNs, latenessNs: now.monotonicNs - dueAtNs },
    skipped: Math.max(0, periodsAfterExpected(pacing, result, tNowNs, dueAtNs)),
    halted: false,
  };
  const read = readAt(pacing, pacing.target, now);
  return expectAt(read, dueAtNs + pacing.grid.periodNs, found, result.clockStepNs);
}

/** How many periods after the expected start one is; in a rhythm by the clock that does not step. */
function periodsAfterExpected(
  { grid, target }: Pacing,
  { clockStepNs }: PaceResult,
  tNowNs: bigint,
  dueAtNs: bigint,
): number {
  switch (target.kind) {
    case 'rhythm':
      return periodsBetween(grid, target.expectedAtNs, dueAtNs + grid.periodNs / 2n);
    case 'catchUp':
      // Times of before a step and after it cannot be compared.
      return clockStepNs === null ? periodsBetween(grid, target.tNs, tNowNs) : 0;
    case 'first':
    case 'none':
      // Nothing was under way yet.
      return 0;
  }
}

/**
 * Looks at the clocks and says what is due. One rule covers drift and steps of the wall clock:
 * the next start is the grid time nearest to the monotonic instant one period after the last
 * start. So a slewed clock is followed as it goes, and after a step the distance of two starts
 * stays between half and one and a half periods. When the wall clock went back, a grid time may
 * come twice; that is always reported by `clockStepNs`.
 *
 * A start that is late by up to `latestNs` happens; one that is later is an overrun, and the policy
 * says what follows.
 */
export function pace(pacing: Pacing, now: ClockReading): PaceResult {
  const { grid } = pacing;
  const aheadNs = now.realtimeNs - now.monotonicNs;
  const clockStepNs = stepSince(pacing, now.monotonicNs, aheadNs);
  const stepped = clockStepNs !== null;
  const target = stepped ? untied(pacing.target) : pacing.target;
  const read = readAt(pacing, target, now);
  const tNowNs = nextStart(read);
  if (tNowNs === null) return waitFor(read, null, nothing, clockStepNs);

  const dueAtNs = tNowNs - aheadNs;
  const latenessNs = now.monotonicNs - dueAtNs;
  const waitNs = target.kind === 'catchUp' ? later(dueAtNs, target.notBeforeNs) : dueAtNs;
  if (now.monotonicNs < waitNs) return waitFor(read, waitNs, nothing, clockStepNs);
  if (latenessNs <= pacing.latestNs) {
    const found = { start: { tNowNs, latenessNs }, skipped: 0, halted: false };
    return expectAt(read, dueAtNs + grid.periodNs, found, clockStepNs);
  }
  if (target.kind === 'first') {
    // Nothing was under way yet, so nothing is left out: the first start is planned again.
    return { ...pace(planFirst(read, now.realtimeNs), now), clockStepNs };
  }
  return overrun(read, tNowNs, clockStepNs);
}

const nothing: Found = { start: null, skipped: 0, halted: false };

/** The clocks were read. Written out member by member: it happens several times in every period. */
function readAt(pacing: Pacing, target: PaceTarget, now: ClockReading): Pacing {
  const { grid, overrun, latestNs } = pacing;
  const { monotonicNs, realtimeNs } = now;
  const aheadNs = realtimeNs - monotonicNs;
  return { grid, overrun, latestNs, target, aheadNs, readAtNs: monotonicNs };
}

/** After a step of the wall clock there is nothing to make up for: its times are others now. */
function untied(target: PaceTarget): PaceTarget {
  return target.kind === 'catchUp' ? { kind: 'rhythm', expectedAtNs: target.notBeforeNs } : target;
}

/** What follows when the start of `tNs` can no longer be served in time. */
function overrun(pacing: Pacing, tNs: bigint, clockStepNs: bigint | null): PaceResult {
  const { grid, aheadNs, readAtNs, latestNs, overrun: policy } = pacing;
  const nextNs = nextAfter(grid, readAtNs + aheadNs);
  switch (policy.kind) {
    case 'halt':
      return waitFor(
        { ...pacing, target: { kind: 'none' } },
        null,
        { ...nothing, halted: true },
        clockStepNs,
      );
    case 'skip': {
      const lastNs = nextNs - grid.periodNs;
      const latenessNs = readAtNs + aheadNs - lastNs;
      if (latenessNs > latestNs) {
        const skipped = periodsBetween(grid, tNs, nextNs);
        return expectAt(pacing, nextNs - aheadNs, { ...nothing, skipped }, clockStepNs);
      }
      const start = { tNowNs: lastNs, latenessNs };
      const skipped = periodsBetween(grid, tNs, lastNs);
      return expectAt(pacing, nextNs - aheadNs, { start, skipped, halted: false }, clockStepNs);
    }
    case 'catchUp': {
      const tNowNs = later(tNs, nextNs - BigInt(policy.limit) * grid.periodNs);
      const notBeforeNs = readAtNs + grid.periodNs / catchUpPart;
      const target = { kind: 'catchUp', tNs: tNowNs + grid.periodNs, notBeforeNs } as const;
      const start = { tNowNs, latenessNs: readAtNs + aheadNs - tNowNs };
      const dueAtNs = later(target.tNs - aheadNs, notBeforeNs);
      const skipped = periodsBetween(grid, tNs, tNowNs);
      const found = { start, skipped, halted: false };
      return waitFor({ ...pacing, target }, dueAtNs, found, clockStepNs);
    }
  }
}

function expectAt(
  pacing: Pacing,
  expectedAtNs: bigint,
  found: Found,
  clockStepNs: bigint | null,
): PaceResult {
  const { grid, overrun, latestNs, aheadNs, readAtNs } = pacing;
  const target: PaceTarget = { kind: 'rhythm', expectedAtNs };
  const expecting = { grid, overrun, latestNs, target, aheadNs, readAtNs };
  return waitFor(expecting, expectedAtNs, found, clockStepNs);
}

function waitFor(
  pacing: Pacing,
  dueAtNs: bigint | null,
  { start, skipped, halted }: Found,
  clockStepNs: bigint | null,
): PaceResult {
  const renewAtNs = pacing.readAtNs + renewNs;
  const wakeAtNs = dueAtNs === null ? renewAtNs : earlier(dueAtNs, renewAtNs);
  return { pacing, start, skipped, halted, clockStepNs, wakeAtNs };
}

function stepSince(pacing: Pacing, nowNs: bigint, aheadNs: bigint): bigint | null {
  const { periodNs } = pacing.grid;
  const changeNs = aheadNs - pacing.aheadNs;
  let spanNs = later(nowNs - pacing.readAtNs, periodNs);
  if (pacing.target.kind === 'rhythm') spanNs = earlier(spanNs, maxSpanPeriods * periodNs);
  const size = changeNs < 0n ? -changeNs : changeNs;
  return size * stepFraction > spanNs ? changeNs : null;
}
