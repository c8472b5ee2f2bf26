import type { Command as WireCommand } from '../core/index.js';
import type {
  VehicleCommandDirect,
  VehicleCommandPathTracking,
  VehicleCommandSpeedCurvature,
  VehicleCommandTrajectory,
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
 * A command to a vehicle: one of the four kinds of the wire contract. The fields have
 * the names, units and ranges of the messages in `idl/`.
 */
export type Command =
  DirectCommand | SpeedCurvatureCommand | TrajectoryCommand | PathTrackingCommand;

/**
 * A command as it goes over the wire, with its header.
 * @param createNs When the command was made: the start of the period that it answers. That is what
 *   the middleware checks in both time modes: not before its period, and not in the future.
 */
export function withHeader(command: Command, createNs: bigint): WireCommand {
  const { kind, validAfterNs = createNs, ...body } = command;
  const header = {
    create_stamp: { nanoseconds: createNs },
    valid_after_stamp: { nanoseconds: validAfterNs },
  };
  // Kind and message belong together; the compiler cannot see that through the union.
  return { kind, message: { ...body, header } } as WireCommand;
}
