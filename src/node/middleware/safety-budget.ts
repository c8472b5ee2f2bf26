import type { RunConfig } from '../../config/index.js';
import { defaultGuardAfter, stopBudget, toS } from '../../core/index.js';
import type { Logger } from '../logger.js';
import { stopAfter } from './session-factory.js';

/**
 * Prints how long and how far a vehicle drives at most from the last reply of its controller to
 * rest, and warns where the vehicle's own time-out comes first.
 */
export function printSafetyBudget(config: RunConfig, periodNs: bigint, log: Logger): void {
  const { missPolicy, missLimit, holdPeriods, brakingMps2, maxSpeedMps, vehicleTimeoutNs } =
    config.safety;
  for (const [ids, rule] of byRule(config.session.vehicleIds, (id) => ({
    policy: missPolicy.of(id),
    missLimit: missLimit.of(id),
    holdPeriods: holdPeriods.of(id),
  }))) {
    const stopAfterNs = stopAfter(config, rule, periodNs);
    if (rule.policy === 'log' || stopAfterNs === null) continue;
    const speed = Number.isFinite(maxSpeedMps) ? maxSpeedMps : 1;
    const budget = stopBudget(stopAfterNs, speed, brakingMps2);
    const totalS = budget.detectionS + budget.brakingS;
    log.info(
      {
        vehicles: ids,
        max_speed_mps: speed,
        detection_s: rounded(budget.detectionS),
        braking_s: rounded(budget.brakingS),
        distance_m: rounded(budget.distanceM),
      },
      `vehicles ${ids.join(', ')}: from the last reply of a silent controller to rest at most ${totalS.toFixed(2)} s and ${budget.distanceM.toFixed(2)} m, at ${speed} m/s with ${brakingMps2} m/s²`,
    );
    const byMissesNs = BigInt(rule.missLimit + 1) * periodNs;
    if (vehicleTimeoutNs !== null && byMissesNs > vehicleTimeoutNs) {
      log.warn(
        {
          vehicles: ids,
          misses_s: toS(byMissesNs),
          vehicle_timeout_s: toS(vehicleTimeoutNs),
        },
        `${rule.missLimit} missed periods take ${toS(byMissesNs)} s, longer than the vehicle's own time-out of ${toS(vehicleTimeoutNs)} s: vehicles stop after ${budget.detectionS.toFixed(2)} s; shorten the period, or lower --miss-limit`,
      );
    }
  }
  printGuardBudget(config, periodNs, log);
}

/** The same from a failure of this program to rest, or that nothing stops the vehicles then. */
function printGuardBudget(config: RunConfig, periodNs: bigint, log: Logger): void {
  const { guard, guardAfterNs, vehicleTimeoutNs, maxSpeedMps, brakingMps2 } = config.safety;
  if (!guard) {
    if (vehicleTimeoutNs !== null) return;
    log.warn(
      'the vehicles have no time-out (--vehicle-timeout-ms=0), and this run has no guard: they drive on when this program fails; add --guard, or run "hlc-middleware guard"',
    );
    return;
  }
  const afterNs = guardAfterNs ?? defaultGuardAfter(periodNs);
  const speed = Number.isFinite(maxSpeedMps) ? maxSpeedMps : 1;
  const budget = stopBudget(afterNs, speed, brakingMps2);
  const totalS = budget.detectionS + budget.brakingS;
  log.info(
    { guard_after_s: toS(afterNs), distance_m: rounded(budget.distanceM) },
    `guard: from a failure of this program to rest at most ${totalS.toFixed(2)} s and ${budget.distanceM.toFixed(2)} m`,
  );
}

/** The vehicles that have the same rule. */
function byRule<R extends object>(
  ids: readonly number[],
  ruleOf: (id: number) => R,
): [number[], R][] {
  const groups = new Map<string, [number[], R]>();
  for (const id of ids) {
    const rule = ruleOf(id);
    const key = JSON.stringify(rule);
    const group = groups.get(key) ?? [[], rule];
    group[0].push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
