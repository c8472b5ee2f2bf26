import {
  cpmLabCommandRules,
  nsPerS,
  nsPerUs,
  policyForAll,
  type ResumePolicy,
  shortestGuardAfter,
  toMs,
  toS,
} from '../../core/index.js';
import { HlcError } from '../../errors/index.js';
import type { ChecksByName } from '../options/check-options.js';
import type { RunValues } from '../options/run-schema.js';
import { describeName, shorten } from '../sources/assignment.js';
import type { GivenValues } from '../sources/merge-sources.js';
import type { SafetySettings } from './run-config.js';

const defaultMaxSpeedMps = 5;
const defaultMaxMagnitude = 1e7;
const defaultMaxAheadNs = nsPerS;
const defaultHangLimitNs = nsPerS;
/** Minimum wait for the vehicles at the end of a run, s. */
const minEndS = 3;
/** From speed 0 to a vehicle that is known to stand, s. */
const settleS = 0.5;

/**
 * The safety part of the configuration.
 * @param checks the policies of single checks.
 */
export function resolveSafety(values: RunValues, checks: ChecksByName): SafetySettings {
  const isCompatible = values.compat === 'cpm-lab';
  return {
    policies: { ...policiesOf(values), ...checks },
    maxSpeedMps: maxSpeed(values),
    maxMagnitude: values.maxMagnitude ?? (isCompatible ? Infinity : defaultMaxMagnitude),
    maxAheadNs: values.maxAheadMs ?? (isCompatible ? null : defaultMaxAheadNs),
    maxCommandAgeNs: values.maxCommandAgeMs ?? (isCompatible ? null : 'byPeriod'),
    clockToleranceNs: BigInt(values.clockToleranceUs) * nsPerUs,
    missPolicy: values.missPolicy,
    missLimit: values.missLimit,
    graceNs: values.graceMs,
    holdPeriods: values.holdPeriods,
    resume: values.resume ?? defaultResume(values),
    vehicleTimeoutNs: values.vehicleTimeoutMs || null,
    stopAfterNs: values.stopAfterMs ?? null,
    brakingMps2: values.brakingDeceleration,
    zeroForNs: values.zeroSpeedMs,
    hangLimitNs: (values.hangLimitMs ?? defaultHangLimit(values)) || null,
    guard: values.guard,
    guardAfterNs: values.guardAfterMs ?? null,
  };
}

/** Maximum time to stop the vehicles at the end of a run, ns: braking from the maximum speed. */
export function resolveEndTimeout(values: RunValues): bigint {
  const { brakingDeceleration, zeroSpeedMs, endTimeoutMs } = values;
  const limit = maxSpeed(values);
  const speed = Number.isFinite(limit) ? limit : defaultMaxSpeedMps;
  const neededS = speed / brakingDeceleration + toS(zeroSpeedMs) + settleS;
  return endTimeoutMs ?? BigInt(Math.round(Math.max(minEndS, neededS) * Number(nsPerS)));
}

/**
 * @throws HlcError `HLC_CONFIG_VALUE` where the status of a middleware comes less often than --guard-after-ms, or a
 *   reply less often than --stop-after-ms.
 */
export function refuseShorterThanPeriods(
  given: GivenValues,
  values: RunValues,
  periodNs: bigint,
): void {
  const shortestNs = shortestGuardAfter(periodNs);
  for (const key of ['guardAfterMs', 'stopAfterMs'] as const) {
    const assignment = given.get(key);
    if (assignment === undefined || (values[key] ?? shortestNs) >= shortestNs) continue;
    throw new HlcError('HLC_CONFIG_VALUE', {
      name: describeName(assignment),
      value: shorten(assignment.text),
      rule: `at least two periods, ${toMs(shortestNs)} ms`,
    });
  }
}

/** The check of each limit. */
const limitChecks = [
  ['maxSpeed', 'tooFast'],
  ['maxMagnitude', 'tooLarge'],
  ['maxAheadMs', 'validTooFarAhead'],
  ['maxCommandAgeMs', 'tooOld'],
] as const;

function policiesOf({ checkPolicy, compat, ...limits }: RunValues): SafetySettings['policies'] {
  if (compat !== 'cpm-lab' || checkPolicy !== 'flag') return policyForAll(checkPolicy);
  // The compatible rules have no limits; one that is given holds.
  const policies = { ...cpmLabCommandRules.policies };
  for (const [key, check] of limitChecks) {
    if (limits[key] !== undefined) policies[check] = 'reject';
  }
  return policies;
}

function maxSpeed({ maxSpeed: given, compat }: RunValues): number {
  return given ?? (compat === 'cpm-lab' ? Infinity : defaultMaxSpeedMps);
}

/** Time that is simulated waits for a program that hangs, and so does every vehicle in it: 0. */
function defaultHangLimit({ simulatedTime }: RunValues): bigint {
  return simulatedTime ? 0n : defaultHangLimitNs;
}

function defaultResume({ simulatedTime, compat }: RunValues): ResumePolicy {
  if (simulatedTime) return 'auto';
  return compat === 'cpm-lab' ? 'trigger' : 'manual';
}
