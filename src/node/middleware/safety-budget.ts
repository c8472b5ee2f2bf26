import type { RunConfig } from '../../config/index.js';
import { guardAfter, stopBudget, toS } from '../../core/index.js';
import { namedIds } from '../../errors/index.js';
import type { Logger } from '../logger.js';
import { hangOfControlLoopNs } from './hang-guard.js';
import { stopAfter } from './session-factory.js';

/**
 * Prints how long and how far a vehicle drives at most from each failure to rest, and warns where the
 * vehicle's own time-out comes first. In simulated time a vehicle waits for this program: no such time.
 */
export function printSafetyBudget(config: RunConfig, periodNs: bigint, log: Logger): void {
  if (config.session.time.mode === 'simulated') return;
  const { missPolicy, missLimit, holdPeriods, graceNs, vehicleTimeoutNs } = config.safety;
  for (const [ids, rule] of byRule(config.session.vehicleIds, (id) => ({
    policy: missPolicy.of(id),
    missLimit: missLimit.of(id),
    holdPeriods: holdPeriods.of(id),
    graceS: toS(graceNs.of(id)),
  }))) {
    const stopAfterNs = stopAfter(config, rule, periodNs);
    if (rule.policy === 'log' || stopAfterNs === null) continue;
    const detectionS = toS(stopAfterNs);
    const vehicles = namedIds('vehicle', ids);
    print(log, config, { vehicles: ids }, detectionS, (longest, speed) => {
      return `${vehicles}: from the last reply of a silent controller to rest at most ${longest}, ${speed}`;
    });
    if (rule.graceS > detectionS) {
      print(log, config, { vehicles: ids, grace_s: rule.graceS }, rule.graceS, (longest) => {
        return `${vehicles}: in the first ${rule.graceS} s of a controller (--grace-ms) at most ${longest}`;
      });
    }
    const byMissesNs = BigInt(rule.missLimit + 1) * periodNs;
    if (vehicleTimeoutNs !== null && byMissesNs > vehicleTimeoutNs) {
      log.warn(
        {
          vehicles: ids,
          misses_s: toS(byMissesNs),
          vehicle_timeout_s: toS(vehicleTimeoutNs),
        },
        `${rule.missLimit} missed periods take ${toS(byMissesNs)} s, longer than the vehicle's own time-out of ${toS(vehicleTimeoutNs)} s: vehicles stop after ${detectionS.toFixed(2)} s; shorten the period, or lower --miss-limit`,
      );
    }
  }
  printHangBudget(config, periodNs, log);
  printGuardBudget(config, periodNs, log);
}

/** The same from a hang of the control loop to rest. */
function printHangBudget(config: RunConfig, periodNs: bigint, log: Logger): void {
  const { hangLimitNs, guard, guardAfterNs } = config.safety;
  // Only the control loop can write then: the commands, and the status that the guard watches.
  const isOnlyWriter = config.sides.lab.kind === 'rclnodejs';
  if (isOnlyWriter && !guard) {
    log.warn(
      'no vehicle is stopped when the control loop of this program hangs (--lab-side=rclnodejs), and this run has no guard; add --guard, run "hlc-middleware guard", or use --lab-side=ros2',
    );
    return;
  }
  if (hangLimitNs === null && !guard) {
    log.warn(
      'no vehicle is stopped when the control loop of this program hangs (--hang-limit-ms=0), and this run has no guard; add --guard',
    );
    return;
  }
  const byGuardNs = guardAfter(guardAfterNs, periodNs);
  const afterNs = isOnlyWriter ? byGuardNs : (hangLimitNs ?? hangOfControlLoopNs + byGuardNs);
  print(log, config, { hang_s: toS(afterNs) }, toS(afterNs), (longest) => {
    return `control loop: from a hang to rest at most ${longest}`;
  });
}

/** The same from a failure of this program to rest, or that nothing stops the vehicles then. */
function printGuardBudget(config: RunConfig, periodNs: bigint, log: Logger): void {
  const { guard, guardAfterNs, vehicleTimeoutNs } = config.safety;
  if (guard) {
    const afterS = toS(guardAfter(guardAfterNs, periodNs));
    print(log, config, { guard_after_s: afterS }, afterS, (longest) => {
      return `guard: from the end of this program, or a hang of all of it, to rest at most ${longest}`;
    });
  } else if (vehicleTimeoutNs === null) {
    log.warn(
      'the vehicles have no time-out (--vehicle-timeout-ms=0), and this run has no guard: they drive on when this program fails; add --guard, or run "hlc-middleware guard"',
    );
  }
}

/**
 * Prints one budget.
 * @param text makes the sentence, of time and way to rest, and of what they are reckoned with.
 */
function print(
  log: Logger,
  { safety: { maxSpeedMps, brakingMps2 } }: RunConfig,
  details: object,
  detectionS: number,
  text: (longest: string, speed: string) => string,
): void {
  const isLimited = Number.isFinite(maxSpeedMps);
  const speed = isLimited ? maxSpeedMps : 1;
  const budget = stopBudget(detectionS, speed, brakingMps2);
  const totalS = budget.detectionS + budget.brakingS;
  log.info(
    {
      ...details,
      max_speed_mps: speed,
      detection_s: rounded(budget.detectionS),
      braking_s: rounded(budget.brakingS),
      distance_m: rounded(budget.distanceM),
    },
    text(
      `${totalS.toFixed(2)} s and ${budget.distanceM.toFixed(2)} m`,
      `at ${speed} m/s${isLimited ? '' : ' (there is no --max-speed)'} with ${brakingMps2} m/s²`,
    ),
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
