/**
 * One look at both clocks. Read them back to back, and again when a read of the monotonic clock
 * before and after shows that more than about 50 µs lie between: the difference of the two clocks
 * distinguishes a step of the wall clock from its drift.
 */
export interface ClockReading {
  /** Wall clock (CLOCK_REALTIME), ns since 1970. */
  readonly realtimeNs: bigint;
  /** Steady clock (CLOCK_MONOTONIC), ns; the same clock that stamps received samples. */
  readonly monotonicNs: bigint;
}

/** Nanoseconds in a microsecond. */
export const nsPerUs = 1000n;

/** Nanoseconds in a millisecond. */
export const nsPerMs = 1_000_000n;

/** Nanoseconds in a second. */
export const nsPerS = 1_000_000_000n;

/** Milliseconds of a duration, ns; exact below 104 days. */
export function toMs(ns: bigint): number {
  return Number(ns) / 1e6;
}

/** Seconds of a duration, ns; exact below 104 days. */
export function toS(ns: bigint): number {
  return Number(ns) / 1e9;
}

/** The earlier of two times, ns. */
export function earlier(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The later of two times, ns. */
export function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Now, on the two clocks of supervision. */
export interface Moment {
  /** For durations, ns: the monotonic clock in real time, `SteadyTime` in lock-step. */
  readonly steadyNs: bigint;
  /** For the stamps of commands, ns: the wall clock in real time, simulated time in lock-step. */
  readonly stampNs: bigint;
}
