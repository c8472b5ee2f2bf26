import { nsPerMs, nsPerS } from './time.js';
import type { CheckSettings } from './command-checks.js';
import { checkCodes, type CheckName } from './violation.js';

/** A command that does not pass a check is refused, forwarded and reported, or just forwarded. */
export type CheckPolicy = 'reject' | 'flag' | 'ignore';

/** Which commands are forwarded, and which count as replies. */
export interface CommandRules {
  readonly policies: Readonly<Record<CheckName, CheckPolicy>>;
  readonly settings: CheckSettings;
  /**
   * Which command of an assigned controller is its reply. `answer`: the first that is forwarded
   * and was created in the period, so that a late answer to an older start signal does not count.
   * `any`: the first that comes within the period, whatever it holds (CPM Lab middleware).
   */
  readonly reply: 'answer' | 'any';
}

/** The same policy for every check. */
export function policyForAll(policy: CheckPolicy): Record<CheckName, CheckPolicy> {
  const names = Object.keys(checkCodes) as CheckName[];
  return Object.fromEntries(names.map((name) => [name, policy])) as Record<CheckName, CheckPolicy>;
}

/**
 * The default, which keeps a vehicle safe: whatever does not pass a check is refused. Clocks may
 * differ by 10 ms ahead and 1 ms behind, poses of a closed path by 1 mm and 1 mrad.
 */
export const defaultCommandRules: CommandRules = {
  policies: policyForAll('reject'),
  settings: {
    futureToleranceNs: 10n * nsPerMs,
    pastToleranceNs: nsPerMs,
    maxAheadNs: nsPerS,
    maxAgeNs: nsPerS,
    maxSpeedMps: 5,
    maxMagnitude: 1e7,
    trajectoryReference: 'firstUse',
    pathClosure: 1e-3,
  },
  reply: 'answer',
};

/** The checks of the CPM Lab middleware; it has no others. */
const cpmLabChecks: readonly CheckName[] = [
  'unknownVehicle',
  'createdInFuture',
  'createdBeforePeriod',
  'trajectoryTooShort',
  'trajectoryNoPast',
  'trajectoryNoFuture',
  'pathTooShort',
  'pathStart',
  'pathOrder',
  'pathNotClosed',
];

/** As the CPM Lab middleware: every command is forwarded, and its own checks only report. */
export const cpmLabCommandRules: CommandRules = {
  policies: {
    ...policyForAll('ignore'),
    ...Object.fromEntries(cpmLabChecks.map((name) => [name, 'flag'])),
  },
  settings: {
    futureToleranceNs: 0n,
    pastToleranceNs: 0n,
    maxAheadNs: null,
    maxAgeNs: null,
    maxSpeedMps: Infinity,
    maxMagnitude: Infinity,
    trajectoryReference: 'validAfter',
    pathClosure: null,
  },
  reply: 'any',
};
