/**
 * One look at both clocks. Read them back to back, and again when a read of the monotonic clock
 * before and after shows that more than about 50 µs lie between: the difference of the two is
 * what tells a step of the wall clock from its drift.
 */
export interface ClockReading {
  /** Wall clock (CLOCK_REALTIME), ns since 1970. */
  readonly realtimeNs: bigint;
  /** Steady clock (CLOCK_MONOTONIC), ns; the same clock that stamps received samples. */
  readonly monotonicNs: bigint;
}

/** Nanoseconds in a millisecond. */
export const NS_PER_MS = 1_000_000n;

/** Nanoseconds in a second. */
export const NS_PER_S = 1_000_000_000n;

/** The earlier of two times, ns. */
export function earlier(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The later of two times, ns. */
export function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
