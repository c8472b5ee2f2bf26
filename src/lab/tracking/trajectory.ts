import { clamp, hermite, type CurveSample } from '../../core/index.js';
import type { TrajectoryPoint } from '../../messages/index.js';
import type { BicycleInput, BicycleParameters, BicycleState } from '../bicycle-model.js';
import { steeringAngleFor } from '../bicycle-model.js';
import { curvatureAt, curvatureTowards, accelerationTowards } from './control-laws.js';

/** A vehicle farther than this from its reference stops, as the CPM Lab vehicle does; metres. */
const captureRange = 0.8;
/** Below this reference speed a trajectory has no heading, and the vehicle goes straight; m/s. */
const restSpeed = 0.02;
/** Speed to catch up per metre of lag, 1/s. */
const catchUpGain = 2;

/**
 * Follows a trajectory: the reference moves on the Hermite curve through the points, the vehicle
 * gets its speed and curvature plus a correction for the distance to it.
 * @param nowNs Nanoseconds since 1970, the clock of the points.
 * @param dt Time until the next decision, seconds.
 * @returns undefined when the trajectory has no reference for now (no point in the past or none in
 *   the future) or the vehicle is too far from it.
 */
export function followTrajectory(
  points: readonly TrajectoryPoint[],
  state: BicycleState,
  nowNs: bigint,
  dt: number,
  vehicle: BicycleParameters,
): BicycleInput | undefined {
  const reference = referenceAt(points, nowNs);
  if (reference === undefined) return undefined;
  const { x, y } = reference;
  const gap = { x: x - state.x, y: y - state.y };
  if (!(Math.hypot(gap.x, gap.y) <= captureRange)) return undefined;

  const speed = Math.hypot(reference.dx, reference.dy);
  const rests = speed < restSpeed;
  const yaw = rests ? state.yaw : Math.atan2(reference.dy, reference.dx);
  const lag = Math.cos(yaw) * gap.x + Math.sin(yaw) * gap.y;
  const target = clamp(speed + catchUpGain * lag, 0, vehicle.maxSpeed);
  const curvature = rests
    ? 0
    : curvatureTowards({ x, y, yaw, curvature: curvatureAt(reference) }, state);
  return {
    acceleration: accelerationTowards(target, state.speed, dt),
    steeringAngle: steeringAngleFor(curvature, vehicle.wheelbase),
  };
}

function referenceAt(points: readonly TrajectoryPoint[], nowNs: bigint): CurveSample | undefined {
  const next = points.findIndex((point, index) => index > 0 && point.t.nanoseconds >= nowNs);
  const from = points[next - 1];
  const to = points[next];
  if (!from || !to || from.t.nanoseconds >= nowNs) return undefined;
  const length = Number(to.t.nanoseconds - from.t.nanoseconds);
  const fraction = Number(nowNs - from.t.nanoseconds) / length;
  return hermite(curvePoint(from), curvePoint(to), length / 1e9, fraction);
}

function curvePoint(point: TrajectoryPoint): { x: number; y: number; dx: number; dy: number } {
  return { x: point.px, y: point.py, dx: point.vx, dy: point.vy };
}
