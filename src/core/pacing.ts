import { earlier, later, type ClockReading, NS_PER_S } from './clock-reading.js';
import {
  firstAtOrAfter,
  nearest,
  nextAfter,
  type PeriodGrid,
  periodsBetween,
} from './period-grid.js';

/**
 * What happens when a start signal comes too late to be sent.
 * - `skip`: whole periods are left out and counted; the next start signal is on the grid and in
 *   the future.
 */
export interface OverrunPolicy {
  readonly kind: 'skip';
}

/** What the pacer waits for. */
export type PaceTarget =
  /** Nothing; only the relation of the clocks is kept. */
  | { readonly kind: 'none' }
  /** The first start, at this time of the wall clock, ns. */
  | { readonly kind: 'first'; readonly tNs: bigint }
  /** A further start, expected one period after the last, at this monotonic instant, ns. */
  | { readonly kind: 'rhythm'; readonly expectedAtNs: bigint };

/**
 * The state of the pacer: which start is due next, and how the wall clock stands to the monotonic
 * clock. A plain value: {@link pace} makes a new one.
 */
export interface Pacing {
  readonly grid: PeriodGrid;
  readonly overrun: OverrunPolicy;
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
  /** By how much it is late, ns: 0 to half a period. */
  readonly latenessNs: bigint;
}

/** What {@link pace} found. */
export interface PaceResult {
  readonly pacing: Pacing;
  readonly start: Start | null;
  /** Periods left out by an overrun. */
  readonly skipped: number;
  /** Size of a step of the wall clock since the last reading, ns, forward is positive; or null. */
  readonly clockStepNs: bigint | null;
  /** Call {@link pace} again at this monotonic instant, ns. */
  readonly wakeAtNs: bigint;
}

/** The relation of the clocks is renewed at least this often, so that a long wait stays true. */
const RENEW_NS = NS_PER_S;

/**
 * The wall clock is said to have stepped when between two readings it ran faster or slower than
 * the monotonic clock by more than this fraction. chrony slews by at most 1/12, ntpd by 1/2000.
 */
const STEP_FRACTION = 8n;

/**
 * After a stall of more periods than this, a change is measured as if it were this many: one that
 * moves the next start to another grid time is always told.
 */
const MAX_SPAN_PERIODS = 3n;

/** Starts late by more than this fraction of a period are an overrun. */
const OVERRUN_FRACTION = 2n;

/** A pacer without a target. */
export function idlePacing(grid: PeriodGrid, now: ClockReading, overrun: OverrunPolicy): Pacing {
  const aheadNs = now.realtimeNs - now.monotonicNs;
  return { grid, overrun, target: { kind: 'none' }, aheadNs, readAtNs: now.monotonicNs };
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
      return target.tNs;
    case 'rhythm':
      return nearest(grid, target.expectedAtNs + aheadNs);
  }
}

/**
 * Looks at the clocks and says what is due. One rule covers drift and steps of the wall clock:
 * the next start is the grid time nearest to the monotonic instant one period after the last
 * start. So a slewed clock is followed as it goes, and after a step the distance of two starts
 * stays between half and one and a half periods. When the wall clock went back, a grid time may
 * come twice; that is always told by `clockStepNs`.
 *
 * A start that is late by up to half a period happens; one that is later is an overrun.
 */
export function pace(pacing: Pacing, now: ClockReading): PaceResult {
  const { grid } = pacing;
  const aheadNs = now.realtimeNs - now.monotonicNs;
  const clockStepNs = stepSince(pacing, now.monotonicNs, aheadNs);
  const read = { ...pacing, aheadNs, readAtNs: now.monotonicNs };
  const tNowNs = nextStart(read);
  if (tNowNs === null) return { ...waitFor(read, null), start: null, skipped: 0, clockStepNs };

  const dueAtNs = tNowNs - aheadNs;
  const latenessNs = now.monotonicNs - dueAtNs;
  if (latenessNs < 0n) {
    return { ...waitFor(read, dueAtNs), start: null, skipped: 0, clockStepNs };
  }
  if (latenessNs * OVERRUN_FRACTION <= grid.periodNs) {
    const start = { tNowNs, latenessNs };
    return { ...expectAt(read, dueAtNs + grid.periodNs), start, skipped: 0, clockStepNs };
  }
  if (read.target.kind === 'first') {
    // Nothing was under way yet, so nothing is left out: the first start is planned again.
    return { ...pace(planFirst(read, now.realtimeNs), now), clockStepNs };
  }
  return { ...overrunRules[pacing.overrun.kind](read, tNowNs), start: null, clockStepNs };
}

/** What follows an overrun, by policy: `tNs` is the grid time that can no longer be served. */
const overrunRules: Record<
  OverrunPolicy['kind'],
  (pacing: Pacing, tNs: bigint) => Pick<PaceResult, 'pacing' | 'wakeAtNs' | 'skipped'>
> = {
  skip(pacing, tNs) {
    const { grid, aheadNs, readAtNs } = pacing;
    const nextNs = nextAfter(grid, readAtNs + aheadNs);
    return { ...expectAt(pacing, nextNs - aheadNs), skipped: periodsBetween(grid, tNs, nextNs) };
  },
};

function expectAt(pacing: Pacing, expectedAtNs: bigint): Pick<PaceResult, 'pacing' | 'wakeAtNs'> {
  return waitFor({ ...pacing, target: { kind: 'rhythm', expectedAtNs } }, expectedAtNs);
}

function waitFor(pacing: Pacing, dueAtNs: bigint | null): Pick<PaceResult, 'pacing' | 'wakeAtNs'> {
  const renewAtNs = pacing.readAtNs + RENEW_NS;
  return { pacing, wakeAtNs: dueAtNs === null ? renewAtNs : earlier(dueAtNs, renewAtNs) };
}

function stepSince(pacing: Pacing, nowNs: bigint, aheadNs: bigint): bigint | null {
  const { periodNs } = pacing.grid;
  const changeNs = aheadNs - pacing.aheadNs;
  let spanNs = later(nowNs - pacing.readAtNs, periodNs);
  if (pacing.target.kind === 'rhythm') spanNs = earlier(spanNs, MAX_SPAN_PERIODS * periodNs);
  const size = changeNs < 0n ? -changeNs : changeNs;
  return size * STEP_FRACTION > spanNs ? changeNs : null;
}
