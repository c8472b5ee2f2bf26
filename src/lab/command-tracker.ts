import { clamp } from '../core/index.js';
import type { VehicleCommand } from '../sides/index.js';
import {
  steeringAngleFor,
  type BicycleInput,
  type BicycleParameters,
  type BicycleState,
} from './bicycle-model.js';
import { accelerationFromThrottle, steeringAngleFromServo } from './model-car.js';
import { followPath } from './tracking/path.js';
import { accelerationTowards } from './tracking/control-laws.js';
import { followTrajectory } from './tracking/trajectory.js';

/**
 * What the actuators do for a command. Without a command, and with one that gives no usable
 * reference now, the vehicle brakes to a standstill with straight wheels.
 * @param nowNs Nanoseconds since 1970.
 * @param dt Time until the next decision, seconds, positive.
 * @returns Always finite.
 */
export function trackCommand(
  command: VehicleCommand | null,
  state: BicycleState,
  nowNs: bigint,
  dt: number,
  vehicle: BicycleParameters,
): BicycleInput {
  const input = command && inputFor(command, state, nowNs, dt, vehicle);
  const usable =
    input && Number.isFinite(input.acceleration) && Number.isFinite(input.steeringAngle);
  return usable
    ? input
    : { acceleration: accelerationTowards(0, state.speed, dt), steeringAngle: 0 };
}

function inputFor(
  command: VehicleCommand,
  state: BicycleState,
  nowNs: bigint,
  dt: number,
  vehicle: BicycleParameters,
): BicycleInput | undefined {
  switch (command.kind) {
    case 'direct':
      return {
        acceleration: accelerationFromThrottle(command.message.motor_throttle, state.speed),
        steeringAngle: steeringAngleFromServo(command.message.steering_servo),
      };
    case 'speedCurvature': {
      const speed = clamp(command.message.speed, -vehicle.maxSpeed, vehicle.maxSpeed);
      return {
        acceleration: accelerationTowards(speed, state.speed, dt),
        steeringAngle: steeringAngleFor(command.message.curvature, vehicle.wheelbase),
      };
    }
    case 'trajectory':
      return followTrajectory(command.message.trajectory_points, state, nowNs, dt, vehicle);
    case 'pathTracking':
      return followPath(command.message.path, command.message.speed, state, dt, vehicle);
  }
}
