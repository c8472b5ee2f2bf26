import { randomBytes } from 'node:crypto';
import type { Pose2D, VehicleObservation, VehicleState } from '../../src/messages/index.js';

/** What is known of some vehicles: all of it random. */
export interface RandomWorld {
  readonly states: readonly VehicleState[];
  readonly observations: readonly VehicleObservation[];
}

/** Vehicles 1 to `count`; every number that is finite can occur. */
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
    imu_acceleration_forward: randomNumber(),
    imu_acceleration_left: randomNumber(),
    imu_acceleration_up: randomNumber(),
    imu_yaw: randomNumber(),
    imu_yaw_rate: randomNumber(),
    speed: randomNumber(),
    battery_voltage: randomNumber(),
    motor_current: randomNumber(),
    motor_throttle: 2 * Math.random() - 1,
    steering_servo: 2 * Math.random() - 1,
    is_real: Math.random() < 0.5,
  };
}

function randomPose(): Pose2D {
  return { x: randomNumber(), y: randomNumber(), yaw: randomNumber() };
}

/** Holds from the beginning of any time. */
function randomHeader() {
  return {
    create_stamp: { nanoseconds: 1n + randomWord() / 2n },
    valid_after_stamp: { nanoseconds: 1n },
  };
}

function randomWord(): bigint {
  return randomBytes(8).readBigUInt64LE();
}

function randomNumber(): number {
  const number = randomBytes(8).readDoubleLE();
  return Number.isFinite(number) ? number : randomNumber();
}
