import { wrapAngle } from '../number-ranges.js';
import type { BicycleState } from '../bicycle-model.js';
import { clamp, type CurveSample } from '../../core/index.js';

/** Where a vehicle that follows a curve should be. */
export interface CurveReference {
  /** Metres, metres, and heading of the curve in radians. */
  readonly x: number;
  readonly y: number;
  readonly yaw: number;
  /** Curvature of the curve, 1/m. */
  readonly curvature: number;
}

/** Radians of approach per metre of distance to the side, near the curve; 1/m. */
const approachGain = 3;
/** Curvature per radian of wrong heading; 1/m. With the gain above: damping 0.7, settled in 1 m. */
const headingGain = 6;

/**
 * The curvature, 1/m, to drive so that a vehicle going forwards comes to a curve and stays on it:
 * that of the curve, plus a turn towards a heading that leads to the curve, at most at right angles.
 */
export function curvatureTowards(reference: CurveReference, state: BicycleState): number {
  const offset =
    Math.cos(reference.yaw) * (state.y - reference.y) -
    Math.sin(reference.yaw) * (state.x - reference.x);
  const heading = reference.yaw - Math.atan(approachGain * offset);
  return reference.curvature + headingGain * wrapAngle(heading - state.yaw);
}

/** Curvature of the curve at a sample, 1/m, a left turn is positive; 0 where the curve rests. */
export function curvatureAt(sample: CurveSample): number {
  const slope = Math.hypot(sample.dx, sample.dy);
  if (slope < 1e-6) return 0;
  return (sample.dx * sample.ddy - sample.dy * sample.ddx) / slope ** 3;
}

/** Bound of speeding up and braking while a vehicle follows a speed, m/s². */
const gentleAcceleration = 3;

/**
 * The acceleration, m/s², that brings a vehicle to a speed and holds it there exactly.
 * @param target Wanted speed, m/s.
 * @param speed Present speed, m/s.
 * @param dt Time until the next decision, seconds, positive.
 */
export function accelerationTowards(target: number, speed: number, dt: number): number {
  return clamp((target - speed) / dt, -gentleAcceleration, gentleAcceleration);
}
