import {
  topics,
  type VehicleCommandDirect,
  type VehicleCommandPathTracking,
  type VehicleCommandSpeedCurvature,
  type VehicleCommandTrajectory,
} from '../../src/messages/index.js';

/** The topics of the four kinds of commands. */
export const commandTopics = {
  direct: topics.vehicleCommandDirect,
  speedCurvature: topics.vehicleCommandSpeedCurvature,
  trajectory: topics.vehicleCommandTrajectory,
  pathTracking: topics.vehicleCommandPathTracking,
} as const;

export type CommandKind = keyof typeof commandTopics;

/** A command and its kind. */
export type AnyCommand =
  | { readonly kind: 'direct'; readonly message: VehicleCommandDirect }
  | { readonly kind: 'speedCurvature'; readonly message: VehicleCommandSpeedCurvature }
  | { readonly kind: 'trajectory'; readonly message: VehicleCommandTrajectory }
  | { readonly kind: 'pathTracking'; readonly message: VehicleCommandPathTracking };

const ms = 1_000_000n;

function header(createNs: bigint) {
  return {
    create_stamp: { nanoseconds: createNs },
    valid_after_stamp: { nanoseconds: createNs },
  };
}

/** A command that passes all checks when it is created in the running period. */
export function directCommand(
  vehicle_id: number,
  createNs: bigint,
  values: Partial<VehicleCommandDirect> = {},
): AnyCommand {
  const steering = { motor_throttle: 0.25, steering_servo: -0.5 };
  return {
    kind: 'direct',
    message: { vehicle_id, header: header(createNs), ...steering, ...values },
  };
}

/**
 * One of each kind; they pass all checks, too.
 * @param apartNs each is made so long after the one before: 0 in simulated time
 */
export function commandsOfAllKinds(
  vehicleId: number,
  createNs: bigint,
  apartNs = 1n,
): AnyCommand[] {
  const atNs = (index: bigint) => createNs + index * apartNs;
  return [
    directCommand(vehicleId, createNs),
    { kind: 'speedCurvature', message: speedCurvatureCommand(vehicleId, atNs(1n)) },
    { kind: 'trajectory', message: trajectoryCommand(vehicleId, atNs(2n)) },
    { kind: 'pathTracking', message: pathTrackingCommand(vehicleId, atNs(3n)) },
  ];
}

/** Numbers that are hard to keep. */
function speedCurvatureCommand(vehicle_id: number, createNs: bigint): VehicleCommandSpeedCurvature {
  return { vehicle_id, header: header(createNs), speed: Number.MIN_VALUE, curvature: -0 };
}

/** A hundred points; it passes all checks when it is created in the running period. */
export function trajectoryCommand(vehicle_id: number, createNs: bigint): VehicleCommandTrajectory {
  const trajectory_points = Array.from({ length: 100 }, (_, i) => ({
    t: { nanoseconds: createNs + BigInt(i - 10) * 50n * ms },
    px: i / 30,
    py: -i / 70,
    vx: 0.1 + 0.2,
    vy: Number.EPSILON * i,
  }));
  return { vehicle_id, header: header(createNs), trajectory_points };
}

/** Along a closed path. */
function pathTrackingCommand(vehicle_id: number, createNs: bigint): VehicleCommandPathTracking {
  const path = Array.from({ length: 33 }, (_, i) => {
    const angle = ((i % 32) / 32) * 2 * Math.PI;
    return { pose: { x: Math.cos(angle), y: Math.sin(angle), yaw: angle }, s: i / 10 };
  });
  return { vehicle_id, header: header(createNs), path, speed: 1 / 3 };
}
