import { clamp, hermite, type CurvePoint, type CurveSample } from '../../core/index.js';
import type { PathPoint } from '../../messages/index.js';
import type { BicycleInput, BicycleParameters, BicycleState } from '../bicycle-model.js';
import { steeringAngleFor } from '../bicycle-model.js';
import { curvatureAt, curvatureTowards, accelerationTowards } from './control-laws.js';

/** Places looked at per segment of the path before the nearest one is refined. */
const coarseSteps = 12;
const refinements = 3;

/**
 * Follows a closed path at a speed: the vehicle steers for the place of the path that is nearest
 * to it. A negative speed stands still, since the steering law is for driving forwards.
 * @param dt Time until the next decision, seconds.
 * @returns undefined when the path has fewer than 2 points.
 */
export function followPath(
  path: readonly PathPoint[],
  speed: number,
  state: BicycleState,
  dt: number,
  vehicle: BicycleParameters,
): BicycleInput | undefined {
  const nearest = nearestOn(path, state);
  if (nearest === undefined) return undefined;
  const curvature = curvatureTowards(
    {
      x: nearest.x,
      y: nearest.y,
      yaw: Math.atan2(nearest.dy, nearest.dx),
      curvature: curvatureAt(nearest),
    },
    state,
  );
  return {
    acceleration: accelerationTowards(clamp(speed, 0, vehicle.maxSpeed), state.speed, dt),
    steeringAngle: steeringAngleFor(curvature, vehicle.wheelbase),
  };
}

/** The nearest place on the two segments that meet at the nearest point; the last point is the first. */
function nearestOn(path: readonly PathPoint[], state: BicycleState): CurveSample | undefined {
  const segments = path.length - 1;
  if (segments < 1) return undefined;
  let corner = 0;
  let best = Infinity;
  for (const [index, { pose }] of path.entries()) {
    const distance = Math.hypot(pose.x - state.x, pose.y - state.y);
    if (distance < best) {
      best = distance;
      corner = index % segments;
    }
  }
  const before = nearestOnSegment(path, (corner + segments - 1) % segments, state);
  const after = nearestOnSegment(path, corner, state);
  if (!before || !after) return (before ?? after)?.place;
  return before.distance < after.distance ? before.place : after.place;
}

interface Nearest {
  readonly place: CurveSample;
  /** Where on the segment, 0 to 1. */
  readonly fraction: number;
  /** Metres from the vehicle. */
  readonly distance: number;
}

function nearestOnSegment(
  path: readonly PathPoint[],
  index: number,
  state: BicycleState,
): Nearest | undefined {
  const from = path[index];
  const to = path[index + 1];
  if (!from || !to || !(to.s > from.s)) return undefined;
  const length = to.s - from.s;
  const start = curvePoint(from);
  const end = curvePoint(to);
  let low = 0;
  let high = 1;
  let nearest: Nearest | undefined;
  for (let round = 0; round <= refinements; round++) {
    const step = (high - low) / coarseSteps;
    for (let i = 0; i <= coarseSteps; i++) {
      const fraction = low + i * step;
      const place = hermite(start, end, length, fraction);
      const distance = Math.hypot(place.x - state.x, place.y - state.y);
      if (!nearest || distance < nearest.distance) {
        nearest = { place, fraction, distance };
      }
    }
    const centre = nearest?.fraction ?? 0;
    low = Math.max(0, centre - step);
    high = Math.min(1, centre + step);
  }
  return nearest;
}

function curvePoint(point: PathPoint): CurvePoint {
  const { x, y, yaw } = point.pose;
  return { x, y, dx: Math.cos(yaw), dy: Math.sin(yaw) };
}
