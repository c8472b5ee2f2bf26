import type { CheckName, CheckPolicy } from '../../core/index.js';

/** The key of the configuration file under which single checks have a policy of their own. */
export const checksKey = 'checks';

/** The policies of the checks that the file names. */
export type ChecksByName = Readonly<Partial<Record<CheckName, CheckPolicy>>>;

/** Every check by its name in the file: what it finds wrong with a command. */
export const checkMeanings: Readonly<Record<CheckName, string>> = {
  unknownVehicle: 'The vehicle belongs to no controller of this middleware.',
  noPeriod: 'No period is open: the run has not begun, or it has ended.',
  otherWriter: 'A process other than the controller of the vehicle sent it.',
  notTakingPart: 'The controller is dead, or got no start signal since its return.',
  createdInFuture: 'The create stamp is later than now.',
  createdBeforePeriod: 'The create stamp is earlier than the current period.',
  notNewer: 'The create stamp is not later than that of the last forwarded command of this type.',
  validTooFarAhead:
    'The valid-after stamp is further ahead of now than --max-ahead-ms. A stamp after the year 2116 is refused with every policy: no stop could outrank it.',
  tooOld: 'The command is older than --max-command-age-ms when it is forwarded.',
  notFinite: 'A number is infinite or not a number.',
  tooLarge: 'A number is larger than --max-magnitude.',
  tooFast: 'A speed is higher than --max-speed, also between trajectory points.',
  outOfRange: 'Throttle or steering is outside -1 to 1.',
  trajectoryTooShort: 'A trajectory has fewer than 3 points.',
  trajectoryNoPast: 'A trajectory has no point in the past.',
  trajectoryNoFuture: 'A trajectory has no point in the future.',
  trajectoryTimeOrder: 'The times of a trajectory do not increase from point to point.',
  pathTooShort: 'A path has fewer than 2 points.',
  pathStart: 'The first point of a path does not have s = 0.',
  pathOrder: 's does not increase from point to point of a path.',
  pathNotClosed: 'The first and the last pose of a path differ.',
};

/** Names of the checks, in the order of the documentation. */
export const checkNames = Object.keys(checkMeanings) as CheckName[];

/** The words for the policies. */
export const checkPolicies = ['reject', 'flag'] as const satisfies readonly CheckPolicy[];
