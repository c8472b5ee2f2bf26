import {
  topics,
  type VehicleCommandDirect,
  type VehicleCommandPathTracking,
  type VehicleCommandSpeedCurvature,
  type VehicleCommandTrajectory,
} from '../messages/index.js';

interface CommandBase {
  /**
   * From when on the vehicle obeys the command, nanoseconds since 1970 (or of the simulated time).
   * Default: at once. A vehicle stops 1 s after this time when no newer command came.
   */
  readonly validAfterNs?: bigint;
}

/** A message without its header, which the SDK fills in, and read-only. */
type Body<T> = Readonly<Omit<T, 'header'>>;

/** Sets motor and steering, without any control in between. */
export interface DirectCommand extends CommandBase, Body<VehicleCommandDirect> {
  readonly kind: 'direct';
}

/** Drives an arc of a circle at a speed. */
export interface SpeedCurvatureCommand extends CommandBase, Body<VehicleCommandSpeedCurvature> {
  readonly kind: 'speedCurvature';
}

/**
 * Follows points in space and time. The middleware wants at least 3 points with rising times, the
 * first before `validAfterNs` and the last after it; the vehicle stops at the last point's time.
 */
export interface TrajectoryCommand extends CommandBase, Body<VehicleCommandTrajectory> {
  readonly kind: 'trajectory';
}

/**
 * Follows a closed path at a speed. The middleware wants at least 2 points, `s` rising from 0, and
 * the last pose equal to the first.
 */
export interface PathTrackingCommand extends CommandBase, Body<VehicleCommandPathTracking> {
  readonly kind: 'pathTracking';
}

/**
 * What a controller tells a vehicle: one of the four kinds of the wire contract. The fields have
 * the names, units and ranges of the messages in `idl/`.
 */
export type Command =
  DirectCommand | SpeedCurvatureCommand | TrajectoryCommand | PathTrackingCommand;

/** The topic of each kind of command. */
export const commandTopics = {
  direct: topics.vehicleCommandDirect,
  speedCurvature: topics.vehicleCommandSpeedCurvature,
  trajectory: topics.vehicleCommandTrajectory,
  pathTracking: topics.vehicleCommandPathTracking,
} as const;

/**
 * Encodes a command with its header, in CDR.
 * @param createNs When the command was made: the start of the period that it answers. That is what
 *   the middleware checks in both time modes: not before its period, and not in the future.
 * @throws RangeError when a field does not fit its IDL type.
 */
export function encodeCommand(command: Command, createNs: bigint): Uint8Array {
  const header = {
    create_stamp: { nanoseconds: createNs },
    valid_after_stamp: { nanoseconds: command.validAfterNs ?? createNs },
  };
  switch (command.kind) {
    case 'direct':
      return commandTopics.direct.codec.encode({ ...command, header });
    case 'speedCurvature':
      return commandTopics.speedCurvature.codec.encode({ ...command, header });
    case 'trajectory':
      return commandTopics.trajectory.codec.encode({ ...command, header });
    case 'pathTracking':
      return commandTopics.pathTracking.codec.encode({ ...command, header });
  }
}

/** True when every number of the command is finite; vehicles refuse others. */
export function isFiniteCommand(command: Command): boolean {
  switch (command.kind) {
    case 'direct':
      return allFinite(command.motor_throttle, command.steering_servo);
    case 'speedCurvature':
      return allFinite(command.speed, command.curvature);
    case 'trajectory':
      return command.trajectory_points.every((p) => allFinite(p.px, p.py, p.vx, p.vy));
    case 'pathTracking':
      return (
        allFinite(command.speed) &&
        command.path.every((p) => allFinite(p.s, p.pose.x, p.pose.y, p.pose.yaw))
      );
  }
}

function allFinite(...numbers: readonly number[]): boolean {
  return numbers.every(Number.isFinite);
}
