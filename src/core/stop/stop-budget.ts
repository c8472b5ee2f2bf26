import { earlier, later } from '../time.js';
import type { SupervisionRule } from '../supervision/miss-policy.js';
import type { VehicleProfile } from '../vehicle-obedience.js';

/** Fewer periods than this without a reply stop no vehicle: one reply may come late. */
const leastPeriods = 2n;

/** Stop commands are written at this interval at most, s. */
const repeatS = 0.05;

/** What `--stop-after-ms` is by default. */
export function defaultStopAfter(
  { policy, missLimit, holdPeriods }: Pick<SupervisionRule, 'policy' | 'missLimit' | 'holdPeriods'>,
  periodNs: bigint,
  judgeDelayNs: bigint,
  { timeoutNs }: Pick<VehicleProfile, 'timeoutNs'>,
): bigint {
  const periods = BigInt(missLimit + 1 + (policy === 'hold' ? holdPeriods : 0));
  const byMissesNs = periods * periodNs + judgeDelayNs;
  const boundedNs = timeoutNs === null ? byMissesNs : earlier(byMissesNs, timeoutNs);
  return later(boundedNs, leastPeriods * periodNs);
}

/** The longest way of a vehicle from the last reply of its controller to rest. */
export interface StopBudget {
  /** From the last reply to the first stop command, s. */
  readonly detectionS: number;
  /** From the first stop command to speed 0, s. */
  readonly brakingS: number;
  /** Way in both together, m. */
  readonly distanceM: number;
}

/**
 * The worst case at a speed: the vehicle drives on until its controller counts as silent, and then
 * brakes with the declared deceleration.
 * @param detectionS from the failure to the first stop command, s.
 * @param maxSpeedMps m/s.
 * @param brakingMps2 m/s², above 0.
 */
export function stopBudget(
  detectionS: number,
  maxSpeedMps: number,
  brakingMps2: number,
): StopBudget {
  const brakingS = maxSpeedMps / brakingMps2 + repeatS;
  const distanceM = maxSpeedMps * (detectionS + repeatS) + maxSpeedMps ** 2 / (2 * brakingMps2);
  return { detectionS, brakingS, distanceM };
}
