import { HlcError } from '../errors/index.js';

/**
 * The grid of start times: every `t` with `(t - offsetNs) mod periodNs = 0`, counted on the epoch
 * (CPM Lab middleware, timers). Make it with {@link realTimeGrid} or {@link simulatedGrid}.
 */
export interface PeriodGrid {
  /** Distance of two grid times, ns, above 0. */
  readonly periodNs: bigint;
  /** Phase, ns, 0 or more. */
  readonly offsetNs: bigint;
}

/**
 * The grid of a real-time session.
 * @param periodNs above 0.
 * @param offsetNs 0 or more and less than the period.
 * @throws HlcError `HLC_TIME_PERIOD` or `HLC_TIME_OFFSET`.
 */
export function realTimeGrid(periodNs: bigint, offsetNs: bigint): PeriodGrid {
  const grid = simulatedGrid(periodNs, offsetNs);
  if (offsetNs >= periodNs) throw new HlcError('HLC_TIME_OFFSET', { offsetNs, periodNs });
  return grid;
}

/**
 * The grid of a lock-step session. Its first time is the offset itself, which may exceed the
 * period (CPM Lab middleware, simulated timer).
 * @param periodNs above 0.
 * @param offsetNs 0 or more.
 * @throws HlcError `HLC_TIME_PERIOD` or `HLC_TIME_OFFSET`.
 */
export function simulatedGrid(periodNs: bigint, offsetNs: bigint): PeriodGrid {
  if (periodNs <= 0n) throw new HlcError('HLC_TIME_PERIOD', { periodNs });
  if (offsetNs < 0n) throw new HlcError('HLC_TIME_OFFSET', { offsetNs, periodNs });
  return { periodNs, offsetNs };
}

/** The first grid time at or after `tNs`. */
export function firstAtOrAfter(grid: PeriodGrid, tNs: bigint): bigint {
  const past = phaseOf(grid, tNs);
  return past === 0n ? tNs : tNs - past + grid.periodNs;
}

/** The first grid time after `tNs`. */
export function nextAfter(grid: PeriodGrid, tNs: bigint): bigint {
  return tNs - phaseOf(grid, tNs) + grid.periodNs;
}

/** The grid time nearest to `tNs`; of two equally near ones the later. */
export function nearest(grid: PeriodGrid, tNs: bigint): bigint {
  const past = phaseOf(grid, tNs);
  return 2n * past < grid.periodNs ? tNs - past : tNs - past + grid.periodNs;
}

/** How many whole periods lie between two grid times; negative when `toNs` is the earlier. */
export function periodsBetween(grid: PeriodGrid, fromNs: bigint, toNs: bigint): number {
  return Number((toNs - fromNs) / grid.periodNs);
}

/** How far `tNs` lies behind the last grid time at or before it: 0 up to the period. */
function phaseOf(grid: PeriodGrid, tNs: bigint): bigint {
  const rest = (tNs - grid.offsetNs) % grid.periodNs;
  return rest < 0n ? rest + grid.periodNs : rest;
}
