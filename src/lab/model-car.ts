import { clamp } from '../core/index.js';
import { curvatureOf, steeringAngleFor, type BicycleParameters } from './bicycle-model.js';

const wheelbase = 0.15;
/** Curvature at full steering, 1/m. */
const fullSteeringCurvature = 3.56;
/** m/s² at full throttle and standstill, with a battery of 7.8 V. */
const throttleGain = 9.9;
const throttleExponent = 1.32;
/** Loss of speed when rolling, 1/s. */
const drag = 2.19;

/**
 * A model car of scale 1:18 as in the CPM Lab: 0.22 m long, 0.107 m wide. The wheelbase, the
 * response to throttle and steering and the drag are those that the lab identified for its cars;
 * the acceleration is bounded by the grip of the tyres, three quarters of gravity.
 */
export const modelCar: BicycleParameters = {
  wheelbase,
  maxSpeed: 4.5,
  maxAcceleration: 7.36,
  maxSteeringAngle: steeringAngleFor(fullSteeringCurvature, wheelbase),
  maxSteeringRate: 6,
};

/** Acceleration, m/s², that a throttle (−1 to 1, clamped) gives at a speed in m/s. */
export function accelerationFromThrottle(throttle: number, speed: number): number {
  const bounded = clamp(throttle, -1, 1);
  return Math.sign(bounded) * throttleGain * Math.abs(bounded) ** throttleExponent - drag * speed;
}

/** The throttle, −1 to 1, that gives this acceleration (m/s²) at this speed (m/s), or comes nearest. */
export function throttleFor(acceleration: number, speed: number): number {
  const drive = acceleration + drag * speed;
  return clamp(
    Math.sign(drive) * (Math.abs(drive) / throttleGain) ** (1 / throttleExponent),
    -1,
    1,
  );
}

/** Angle of the front wheels, radians, for a steering input of −1 to 1 (clamped). */
export function steeringAngleFromServo(servo: number): number {
  return steeringAngleFor(clamp(servo, -1, 1) * fullSteeringCurvature, wheelbase);
}

/** The steering input, −1 to 1, of this angle of the front wheels (radians). */
export function servoFor(steeringAngle: number): number {
  return clamp(curvatureOf(steeringAngle, wheelbase) / fullSteeringCurvature, -1, 1);
}
