import { HlcError } from '../errors/index.js';

/** Keeps simulated time from running faster than a multiple of real time. */
export interface StepThrottle {
  /** Least distance of two steps, ns of the monotonic clock; 0 without a limit. */
  readonly spacingNs: bigint;
  /** The next step may not begin before this monotonic instant, ns; null: at once. */
  readonly earliestNs: bigint | null;
}

/**
 * A throttle before its first step.
 * @param realTimeFactor simulated seconds per real second, finite and above 0; null: as fast as possible.
 * @throws HlcError `HLC_TIME_FACTOR`.
 */
export function stepThrottle(periodNs: bigint, realTimeFactor: number | null): StepThrottle {
  if (realTimeFactor === null) return { spacingNs: 0n, earliestNs: null };
  const spacing = Math.round(Number(periodNs) / realTimeFactor);
  if (!(realTimeFactor > 0 && realTimeFactor < Infinity && spacing < Infinity)) {
    throw new HlcError('HLC_TIME_FACTOR', { factor: realTimeFactor });
  }
  return { spacingNs: BigInt(spacing), earliestNs: null };
}

/**
 * The throttle after a step began at `atNs`, ns. A step that begins a little late does not delay
 * those after it; time lost beyond one step is not caught up.
 */
export function stepBegun(throttle: StepThrottle, atNs: bigint): StepThrottle {
  const { spacingNs, earliestNs } = throttle;
  const onTime = earliestNs !== null && atNs - earliestNs <= spacingNs;
  return { spacingNs, earliestNs: (onTime ? earliestNs : atNs) + spacingNs };
}
