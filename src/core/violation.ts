import { catalogue, type ErrorCode, type ErrorDetails } from '../errors/index.js';

/** The checks of a command, and the code that names each. */
export const checkCodes = {
  /** The command's vehicle belongs to no assigned controller. */
  unknownVehicle: 'HLC_COMMAND_UNKNOWN_VEHICLE',
  /** No period has begun yet, or the session is over. */
  noPeriod: 'HLC_COMMAND_NO_PERIOD',
  /** Another process than the vehicle's controller made it. */
  otherWriter: 'HLC_COMMAND_OTHER_WRITER',
  /** The controller is dead, or has not had a start signal since. */
  notTakingPart: 'HLC_COMMAND_NOT_TAKING_PART',
  /** Created later than now. */
  createdInFuture: 'HLC_COMMAND_CREATED_IN_FUTURE',
  /** Created before the current period: it answers an older start signal. */
  createdBeforePeriod: 'HLC_COMMAND_CREATED_BEFORE_PERIOD',
  /** Not created after the last command that was forwarded for this vehicle. */
  notNewer: 'HLC_COMMAND_NOT_NEWER',
  /** Holds from a time too far ahead. */
  validTooFarAhead: 'HLC_COMMAND_TOO_FAR_AHEAD',
  /** Too old when it was about to be forwarded. */
  tooOld: 'HLC_COMMAND_TOO_OLD',
  /** A number is infinite or no number. */
  notFinite: 'HLC_COMMAND_NOT_FINITE',
  /** A number is larger than any in a lab. */
  tooLarge: 'HLC_COMMAND_TOO_LARGE',
  /** Faster than the highest speed. */
  tooFast: 'HLC_COMMAND_TOO_FAST',
  /** Throttle or steering outside -1 to 1. */
  outOfRange: 'HLC_COMMAND_OUT_OF_RANGE',
  /** A trajectory of fewer than 3 points. */
  trajectoryTooShort: 'HLC_TRAJECTORY_TOO_SHORT',
  /** A trajectory with no point in the past, so that the vehicle cannot interpolate. */
  trajectoryNoPast: 'HLC_TRAJECTORY_NO_PAST',
  /** A trajectory with no point in the future. */
  trajectoryNoFuture: 'HLC_TRAJECTORY_NO_FUTURE',
  /** A trajectory whose times do not increase from point to point. */
  trajectoryTimeOrder: 'HLC_TRAJECTORY_TIME_ORDER',
  /** A path of fewer than 2 points. */
  pathTooShort: 'HLC_PATH_TOO_SHORT',
  /** A path whose first point does not have s = 0. */
  pathStart: 'HLC_PATH_START',
  /** A path whose s does not increase from point to point. */
  pathOrder: 'HLC_PATH_ORDER',
  /** A path whose first and last pose differ: the vehicle drives it round and round. */
  pathNotClosed: 'HLC_PATH_NOT_CLOSED',
} as const satisfies Record<string, ErrorCode>;

/** Name of a check, as in configuration files. */
export type CheckName = keyof typeof checkCodes;

/** A check that a command did not pass. */
export type Violation = { [N in CheckName]: ViolationOf<N> }[CheckName];

interface ViolationOf<N extends CheckName> {
  readonly check: N;
  readonly code: (typeof checkCodes)[N];
  readonly details: ErrorDetails<(typeof checkCodes)[N]>;
}

/** Makes the record of a check that was not passed. */
export function violation<N extends CheckName>(
  check: N,
  details: ViolationOf<N>['details'],
): Violation {
  // The record is tied together by `N`; the compiler cannot see that it is one of the union.
  return { check, code: checkCodes[check], details } as unknown as Violation;
}

/** The catalogue's sentence for a violation. */
export function explainViolation(violation: Violation): string {
  // `code` and `details` belong together; the compiler cannot see that through the union.
  const sentence = catalogue[violation.code].sentence as (details: object) => string;
  return sentence(violation.details);
}
