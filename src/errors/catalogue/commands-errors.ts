import { ExitCode } from '../exit-codes.js';
import { inMs } from '../in-words.js';
import { entry } from './entry.js';

/** Stamps that differ by 30 years are not of the same clock: simulated time begins at 0, ns. */
const otherTimeNs = 30n * 365n * 86_400n * 1_000_000_000n;

/** Failed checks of commands. */
export const commandsErrors = {
  HLC_COMMAND_UNKNOWN_VEHICLE: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `A command names vehicle ${d.vehicleId}, which is not assigned here; check the controller's id and --vehicle-ids.`,
  ),
  HLC_COMMAND_NO_PERIOD: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} came while no period was running; a controller may command only after a start signal.`,
  ),
  HLC_COMMAND_OTHER_WRITER: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} came from another process than its controller; end the process that uses this id by mistake.`,
  ),
  HLC_COMMAND_NOT_TAKING_PART: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} came from a controller that does not take part: it was stopped or lost, or has just signed in. It must send a ready signal or answer the newest start signal; if its stop is latched, then run "hlc-middleware resume ${d.vehicleId}". Its commands count from the next start signal.`,
  ),
  HLC_COMMAND_CREATED_IN_FUTURE: entry<{
    vehicleId: number;
    aheadNs: bigint;
    toleranceNs: bigint;
  }>(ExitCode.failure, (d) =>
    d.aheadNs > otherTimeNs
      ? `A command for vehicle ${d.vehicleId} has stamps far ahead of the time of this run (in simulated time, those of the wall clock are); take create_stamp and valid_after_stamp from t_now of the start signal.`
      : `A command for vehicle ${d.vehicleId} was created ${inMs(d.aheadNs)} ms in the future; the tolerance is ${inMs(d.toleranceNs)} ms. Take create_stamp from t_now of the start signal, or in real time set the clock of the controller's machine or --clock-tolerance-us.`,
  ),
  HLC_COMMAND_CREATED_BEFORE_PERIOD: entry<{
    vehicleId: number;
    lateByNs: bigint;
    toleranceNs: bigint;
  }>(ExitCode.failure, (d) =>
    d.lateByNs > otherTimeNs
      ? `A command for vehicle ${d.vehicleId} has no stamp of the wall clock, and this run is in real time; take create_stamp and valid_after_stamp from t_now of the start signal.`
      : `A command for vehicle ${d.vehicleId} was created ${inMs(d.lateByNs)} ms before the current period; the tolerance is ${inMs(d.toleranceNs)} ms. The controller is too slow for the period, does not set create_stamp, or its clock is behind: in real time set that clock or --clock-tolerance-us.`,
  ),
  HLC_COMMAND_NOT_NEWER: entry<{ vehicleId: number; olderByNs: bigint }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} was created ${inMs(d.olderByNs)} ms before the last one of its type, or is the same again; give each command a later create_stamp.`,
  ),
  HLC_COMMAND_TOO_FAR_AHEAD: entry<{ vehicleId: number; aheadNs: bigint; maxAheadNs: bigint }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} holds from ${inMs(d.aheadNs)} ms ahead of now; the limit is ${inMs(d.maxAheadNs)} ms. Give an earlier valid_after_stamp, or raise --max-ahead-ms.`,
  ),
  HLC_COMMAND_TOO_OLD: entry<{ vehicleId: number; ageNs: bigint; maxAgeNs: bigint }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} was ${inMs(d.ageNs)} ms old when it was to be forwarded; the limit is ${inMs(d.maxAgeNs)} ms. Look for a busy machine or a slow network, or raise --max-command-age-ms.`,
  ),
  HLC_COMMAND_TOO_LARGE: entry<{ vehicleId: number; field: string; maxMagnitude: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} has a number above ${d.maxMagnitude} in ${d.field}; correct the controller, or set --max-magnitude.`,
  ),
  HLC_COMMAND_TOO_FAST: entry<{ vehicleId: number; speedMps: number; maxSpeedMps: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} asks for ${d.speedMps} m/s, and ${d.maxSpeedMps} m/s are allowed; correct the controller, or set --max-speed. The speed of a trajectory is that of the curve through its points.`,
  ),
  HLC_COMMAND_NOT_FINITE: entry<{ vehicleId: number; field: string }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} has no finite number in ${d.field}; correct the controller.`,
  ),
  HLC_COMMAND_OUT_OF_RANGE: entry<{ vehicleId: number; field: string; value: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} has ${d.field} = ${d.value}; give a value from -1 to 1.`,
  ),
  HLC_TRAJECTORY_TOO_SHORT: entry<{ vehicleId: number; points: number }>(
    ExitCode.failure,
    (d) =>
      `The trajectory for vehicle ${d.vehicleId} has ${d.points} points; a vehicle needs at least 3.`,
  ),
  HLC_TRAJECTORY_NO_PAST: entry<{ vehicleId: number; aheadNs: bigint }>(
    ExitCode.failure,
    (d) =>
      `The trajectory for vehicle ${d.vehicleId} begins ${inMs(d.aheadNs)} ms after the vehicle needs it; a moving vehicle would brake. Begin it at or before valid_after_stamp, or allow it with "checks: { trajectoryNoPast: flag }" in the configuration file.`,
  ),
  HLC_TRAJECTORY_NO_FUTURE: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `The trajectory for vehicle ${d.vehicleId} has no point in the future; end it after the time from which it is valid.`,
  ),
  HLC_TRAJECTORY_TIME_ORDER: entry<{ vehicleId: number; index: number }>(
    ExitCode.failure,
    (d) =>
      `The trajectory for vehicle ${d.vehicleId} does not go forward in time at point ${d.index}; order the points by time, each time once.`,
  ),
  HLC_PATH_TOO_SHORT: entry<{ vehicleId: number; points: number }>(
    ExitCode.failure,
    (d) =>
      `The path for vehicle ${d.vehicleId} has ${d.points} points; a vehicle needs at least 2.`,
  ),
  HLC_PATH_START: entry<{ vehicleId: number; s: number }>(
    ExitCode.failure,
    (d) => `The path for vehicle ${d.vehicleId} begins at s = ${d.s}; begin it at 0.`,
  ),
  HLC_PATH_ORDER: entry<{ vehicleId: number; index: number }>(
    ExitCode.failure,
    (d) =>
      `The path for vehicle ${d.vehicleId} does not go forward at point ${d.index}; give each point a greater s than the one before.`,
  ),
  HLC_PATH_NOT_CLOSED: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `The path for vehicle ${d.vehicleId} is not closed; end it at the pose where it begins, since a vehicle drives it round and round.`,
  ),
} as const;
