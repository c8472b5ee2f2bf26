import { randomBytes } from 'node:crypto';
import type { Pose2D, VehicleObservation, VehicleState } from '../../src/messages/index.js';

/** What is known of some vehicles: all of it random. */
export interface RandomWorld {
  readonly states: readonly VehicleState[];
  readonly observations: readonly VehicleObservation[];
}

/**
 * Vehicles 1 to `count`. What a probe puts into its commands is within the bounds of the middleware;
 * elsewhere every number that is finite can occur.
 */
export function randomWorld(count: number): RandomWorld {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  return { states: ids.map(randomState), observations: ids.map(randomObservation) };
}

function randomObservation(vehicle_id: number): VehicleObservation {
  return { vehicle_id, header: randomHeader(), pose: randomPose() };
}

function randomState(vehicle_id: number): VehicleState {
  return {
    ...randomObservation(vehicle_id),
    IPS_update_age_nanoseconds: randomWord(),
    odometer_distance: randomNumber(),
    imu_acceleration_forward: randomUpTo(highestMps),
    imu_acceleration_left: randomUpTo(highestMps),
    imu_acceleration_up: randomNumber(),
    imu_yaw: randomUpTo(1e6),
    imu_yaw_rate: randomNumber(),
    speed: randomUpTo(highestMps),
    battery_voltage: randomNumber(),
    motor_current: randomNumber(),
    motor_throttle: 2 * Math.random() - 1,
    steering_servo: 2 * Math.random() - 1,
    is_real: Math.random() < 0.5,
  };
}

function randomPose(): Pose2D {
  return { x: randomUpTo(farthestM), y: randomUpTo(farthestM), yaw: randomUpTo(1e6) };
}

/** Holds from the beginning of any time. */
function randomHeader() {
  return {
    create_stamp: { nanoseconds: 1n + (randomWord() % latestNs) },
    valid_after_stamp: { nanoseconds: 1n },
  };
}

/** A state may be ahead of simulated time by a second at most, ns. */
const latestNs = 1_000_000_000n;

/** Far enough below the --max-speed of the tests for two components together, m/s. */
const highestMps = 600;

/** Points of a trajectory are 100 ms apart, and the speed of the curve through them is bounded, too, m. */
const farthestM = 10;

function randomUpTo(limit: number): number {
  return (2 * Math.random() - 1) * limit;
}

function randomWord(): bigint {
  return randomBytes(8).readBigUInt64LE();
}

function randomNumber(): number {
  const number = randomBytes(8).readDoubleLE();
  return Number.isFinite(number) ? number : randomNumber();
}
