/**
 * The typed commands of a controller, as far as the rules look at them. The fields are those of
 * the wire contract in `idl/`, so a decoded message can be used as it is.
 */
export type Command =
  | { readonly kind: 'direct'; readonly message: DirectCommand }
  | { readonly kind: 'speedCurvature'; readonly message: SpeedCurvatureCommand }
  | { readonly kind: 'trajectory'; readonly message: TrajectoryCommand }
  | { readonly kind: 'pathTracking'; readonly message: PathTrackingCommand };

/**
 * The types of commands in the order in which the vehicle of the CPM Lab obeys them, and in that of their bits in
 * `CommandedVehicle.kinds` (`idl/CommandedVehicle.idl`).
 */
export const commandKinds = ['direct', 'speedCurvature', 'trajectory', 'pathTracking'] as const;

/** What every command has. */
export interface CommandBase {
  /** 0 to 255. */
  readonly vehicle_id: number;
  readonly header: {
    /** ns since 1970, or simulated time. */
    readonly create_stamp: Stamp;
    /** The vehicle uses the command from this time on. */
    readonly valid_after_stamp: Stamp;
  };
}

/** A time on the wire: ns since 1970, or simulated time. */
export interface Stamp {
  readonly nanoseconds: bigint;
}

/** `VehicleCommandDirect`. */
export interface DirectCommand extends CommandBase {
  /** -1 to 1. */
  readonly motor_throttle: number;
  /** -1 to 1. */
  readonly steering_servo: number;
}

/** `VehicleCommandSpeedCurvature`. */
export interface SpeedCurvatureCommand extends CommandBase {
  /** m/s. */
  readonly speed: number;
  /** 1/m. */
  readonly curvature: number;
}

/** `VehicleCommandTrajectory`. */
export interface TrajectoryCommand extends CommandBase {
  readonly trajectory_points: readonly TrajectoryPoint[];
}

/** Position in m and velocity in m/s at a time. */
export interface TrajectoryPoint {
  readonly t: Stamp;
  readonly px: number;
  readonly py: number;
  readonly vx: number;
  readonly vy: number;
}

/** `VehicleCommandPathTracking`. */
export interface PathTrackingCommand extends CommandBase {
  readonly path: readonly PathPoint[];
  /** m/s. */
  readonly speed: number;
}

/** Pose (m, m, rad) at the path length `s` (m). */
export interface PathPoint {
  readonly pose: { readonly x: number; readonly y: number; readonly yaw: number };
  readonly s: number;
}

/** When the command was made, ns. */
export function createStampOf(command: Command): bigint {
  return command.message.header.create_stamp.nanoseconds;
}

/** From when on the vehicle uses the command, ns. */
export function validAfterOf(command: Command): bigint {
  return command.message.header.valid_after_stamp.nanoseconds;
}

/** When a vehicle that obeys a command begins to move by it at the earliest, ns. */
export function motionFromOf(command: Command): bigint {
  const validAfterNs = validAfterOf(command);
  if (command.kind !== 'trajectory') return validAfterNs;
  const beginsNs = command.message.trajectory_points[0]?.t.nanoseconds ?? validAfterNs;
  return beginsNs > validAfterNs ? beginsNs : validAfterNs;
}
