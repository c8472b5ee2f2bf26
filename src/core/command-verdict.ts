import type { CommandRules } from './check-policy.js';
import { hasUnusableStamp } from './command-checks.js';
import { type Command, createStampOf } from './command.js';
import type { CheckName, Violation } from './violation.js';

/** What does not pass these goes to no vehicle that is stopped, whatever the policies are. */
const heldChecks: ReadonlySet<string> = new Set([
  'notTakingPart',
  'otherWriter',
  'noPeriod',
  'unknownVehicle',
]);

/**
 * - `repeated`: it was forwarded, and is the same one as before, of a clock that is ahead;
 * - `heldUp`: it was young enough at its reception, and too old when it was to be forwarded.
 */
export type CommandFate = 'forwarded' | 'repeated' | 'refused' | 'heldUp';

/**
 * The violation that keeps a command from its vehicle, whatever the checks allow; undefined: it is forwarded.
 * @param isHeld the vehicle is stopped.
 */
export function refusalOf(
  command: Command,
  violations: readonly Violation[],
  { policies }: CommandRules,
  isHeld: boolean,
): Violation | undefined {
  const isUnusable = hasUnusableStamp(command);
  return violations.find(
    ({ check }) =>
      policies[check] === 'reject' ||
      (isHeld && heldChecks.has(check)) ||
      (isUnusable && check === 'validTooFarAhead'),
  );
}

/** The violations of a forwarded command that are reported. */
export function flaggedOf(
  violations: readonly Violation[],
  { policies }: CommandRules,
): readonly Violation[] {
  return violations.filter(({ check }) => policies[check] !== 'ignore');
}

/**
 * What became of a command that was refused.
 * @param receivedNs wall clock at reception, or simulated time, ns.
 */
export function fateOf(
  command: Command,
  violations: readonly Violation[],
  { settings: { maxAgeNs } }: CommandRules,
  receivedNs: bigint,
): CommandFate {
  const onlyOld = maxAgeNs !== null && violations.every(({ check }) => check === 'tooOld');
  return onlyOld && receivedNs - createStampOf(command) <= maxAgeNs ? 'heldUp' : 'refused';
}

/** True when one of them is of this check. */
export function has(violations: readonly Violation[], check: CheckName): boolean {
  return violations.some((violation) => violation.check === check);
}
