import { clamp } from '../core/index.js';
import { wrapAngle } from './number-ranges.js';

/** Motion of a vehicle. The pose is that of the middle of its rear axle, in the map frame. */
export interface BicycleState {
  /** Metres. */
  readonly x: number;
  /** Metres. */
  readonly y: number;
  /** Heading, radians, counter-clockwise from the x axis, above −π and up to π. */
  readonly yaw: number;
  /** m/s, negative when driving backwards. */
  readonly speed: number;
  /** Angle of the front wheels, radians, a left turn is positive. */
  readonly steeringAngle: number;
}

/** What the actuators are asked for; the model bounds it. */
export interface BicycleInput {
  /** Along the heading, m/s². */
  readonly acceleration: number;
  /** Wanted angle of the front wheels, radians. */
  readonly steeringAngle: number;
}

/** The bounds of a vehicle; all positive. */
export interface BicycleParameters {
  /** Metres between the axles. */
  readonly wheelbase: number;
  /** m/s, forwards and backwards. */
  readonly maxSpeed: number;
  /** m/s², speeding up and braking. */
  readonly maxAcceleration: number;
  /** Radians, to both sides; less than π/2. */
  readonly maxSteeringAngle: number;
  /** rad/s. */
  readonly maxSteeringRate: number;
}

/**
 * The kinematic bicycle: wheels roll without slip, so the vehicle drives an arc of curvature
 * tan(steering angle) / wheelbase. One step is exact for a steady speed and steering angle.
 * @param state The motion at the beginning of the step; finite.
 * @param input Held during the step; finite.
 * @param dt Length of the step, seconds, not negative.
 * @returns The motion at the end of the step.
 */
export function stepBicycle(
  state: BicycleState,
  input: BicycleInput,
  dt: number,
  bounds: BicycleParameters,
): BicycleState {
  const turn = bounds.maxSteeringRate * dt;
  const steeringAngle = clamp(
    state.steeringAngle + clamp(input.steeringAngle - state.steeringAngle, -turn, turn),
    -bounds.maxSteeringAngle,
    bounds.maxSteeringAngle,
  );
  const acceleration = clamp(input.acceleration, -bounds.maxAcceleration, bounds.maxAcceleration);
  const speed = clamp(state.speed + acceleration * dt, -bounds.maxSpeed, bounds.maxSpeed);
  const distance = ((state.speed + speed) / 2) * dt;
  const yawChange = distance * curvatureOf(steeringAngle, bounds.wheelbase);
  // An arc ends at its chord: that one points halfway between the first and the last heading.
  const chord = distance * sinc(yawChange / 2);
  return {
    x: state.x + chord * Math.cos(state.yaw + yawChange / 2),
    y: state.y + chord * Math.sin(state.yaw + yawChange / 2),
    yaw: wrapAngle(state.yaw + yawChange),
    speed,
    steeringAngle,
  };
}

/** Curvature of the arc driven with this steering angle, 1/m, a left turn is positive. */
export function curvatureOf(steeringAngle: number, wheelbase: number): number {
  return Math.tan(steeringAngle) / wheelbase;
}

/** Steering angle, radians, that drives an arc of this curvature (1/m). */
export function steeringAngleFor(curvature: number, wheelbase: number): number {
  return Math.atan(curvature * wheelbase);
}

function sinc(angle: number): number {
  return Math.abs(angle) < 1e-6 ? 1 : Math.sin(angle) / angle;
}
