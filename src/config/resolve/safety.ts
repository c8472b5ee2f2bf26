import { nsPerS, nsPerUs, toS } from '../../core/index.js';
import type { RunValues } from '../options/run-schema.js';

/** Limits and times of the safety functions, as the flags give them. */
export interface SafetyConfig {
  /** Time-out of the vehicles themselves, ns; null: they have none. */
  readonly vehicleTimeoutNs: bigint | null;
  /** Longest time from the last reply of a controller to the stop, ns; null: by the miss limit. */
  readonly stopAfterNs: bigint | null;
  /** m/s; may be infinite. */
  readonly maxSpeedMps: number;
  /** Of every other number of a command; may be infinite. */
  readonly maxMagnitude: number;
  /** How far ahead of now a command may hold, ns; null: without a limit. */
  readonly maxAheadNs: bigint | null;
  /** Age of a command when it is forwarded, ns; null: without a limit. */
  readonly maxCommandAgeNs: bigint | null | 'byPeriod';
  /** Difference of two clocks that is tolerated in create stamps, ns. */
  readonly clockToleranceNs: bigint;
  /** A stop commands speed 0 for this time, ns. */
  readonly zeroForNs: bigint;
  /** The end of a run waits for the vehicles for this time at most, ns. */
  readonly endTimeoutNs: bigint;
  /** Vehicles are stopped when the control loop stands still for this time, ns; 0: they are not. */
  readonly hangLimitNs: bigint;
  /** Start a guard as a second process. */
  readonly guard: boolean;
  /** A guard stops the vehicles after this silence of their middleware, ns; null: by the period. */
  readonly guardAfterNs: bigint | null;
}

const defaultMaxSpeedMps = 5;
const defaultMaxMagnitude = 1e7;
const defaultMaxAheadNs = nsPerS;
/** The end of a run waits for this time at least, s. */
const leastEndS = 3;
/** From speed 0 to a vehicle that is known to stand, s. */
const settleS = 0.5;

/** The safety part of the configuration, with its defaults. */
export function resolveSafety(values: RunValues): SafetyConfig {
  const isCompatible = values.compat === 'cpm-lab';
  const maxSpeedMps = values.maxSpeed ?? (isCompatible ? Infinity : defaultMaxSpeedMps);
  return {
    vehicleTimeoutNs: values.vehicleTimeoutMs === 0n ? null : values.vehicleTimeoutMs,
    stopAfterNs: values.stopAfterMs ?? null,
    maxSpeedMps,
    maxMagnitude: values.maxMagnitude ?? (isCompatible ? Infinity : defaultMaxMagnitude),
    maxAheadNs: values.maxAheadMs ?? (isCompatible ? null : defaultMaxAheadNs),
    maxCommandAgeNs: values.maxCommandAgeMs ?? (isCompatible ? null : 'byPeriod'),
    clockToleranceNs: BigInt(values.clockToleranceUs) * nsPerUs,
    zeroForNs: values.zeroSpeedMs,
    endTimeoutNs: values.endTimeoutMs ?? defaultEndTimeout(values, maxSpeedMps),
    hangLimitNs: values.hangLimitMs,
    guard: values.guard,
    guardAfterNs: values.guardAfterMs ?? null,
  };
}

/** Long enough to brake from the highest speed and to see that the vehicle stands. */
function defaultEndTimeout(
  { brakingDeceleration, zeroSpeedMs }: RunValues,
  maxSpeedMps: number,
): bigint {
  const speed = Number.isFinite(maxSpeedMps) ? maxSpeedMps : defaultMaxSpeedMps;
  const neededS = speed / brakingDeceleration + toS(zeroSpeedMs) + settleS;
  return BigInt(Math.round(Math.max(leastEndS, neededS) * Number(nsPerS)));
}
