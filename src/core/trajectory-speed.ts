import type { TrajectoryPoint } from './command.js';
import { magnitude } from './hermite.js';

/** Pieces of the curve between two points whose speeds are bounded one by one. */
const pieces = 32;

/**
 * An upper bound of the speed on the cubic Hermite curve through the points of a trajectory, m/s. CPM
 * Lab vehicles follow that curve, and it can be faster than its points and than the mean between them.
 * A bound above `enoughMps` is tight: too high by at most 1/4096 of |v0 - 2 c + v1|, where v0 and v1 are
 * the velocities of two points and c is the control vector between them. NaN counts as 0, and nothing
 * is between points whose times do not rise.
 */
export function highestTrajectorySpeed(
  points: readonly TrajectoryPoint[],
  enoughMps: number,
): number {
  let highest = 0;
  let last: TrajectoryPoint | undefined;
  for (const point of points) {
    const atPoint = magnitude(point.vx, point.vy);
    if (atPoint > highest) highest = atPoint;
    if (last !== undefined && point.t.nanoseconds > last.t.nanoseconds) {
      // A subtraction of 64-bit numbers allocates nothing once it is compiled.
      const ns = Number(BigInt.asUintN(64, point.t.nanoseconds - last.t.nanoseconds));
      const between = speedBetween(last, point, ns / 1e9, enoughMps);
      if (between > highest) highest = between;
    }
    last = point;
  }
  return highest;
}

/**
 * The velocity on the curve is a quadratic Bézier curve of u from 0 to 1. Its control vectors are the
 * velocities v0 and v1 and, between them, 3 m - v0 - v1 with the mean velocity m. A curve is inside of
 * the triangle of its control vectors; those of small pieces are close to it.
 */
function speedBetween(
  from: TrajectoryPoint,
  to: TrajectoryPoint,
  seconds: number,
  enoughMps: number,
): number {
  const controlX = (3 * (to.px - from.px)) / seconds - from.vx - to.vx;
  const controlY = (3 * (to.py - from.py)) / seconds - from.vy - to.vy;
  const rough = magnitude(controlX, controlY);
  // Infinity has no pieces.
  if (!(rough > enoughMps && rough < Infinity)) return rough;
  // velocity(u) = v0 + 2 u d + u² e; a piece from u to w has the control vector v0 + (u + w) d + u w e.
  const dx = controlX - from.vx;
  const dy = controlY - from.vy;
  const ex = from.vx - 2 * controlX + to.vx;
  const ey = from.vy - 2 * controlY + to.vy;
  let highestSquare = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const u = piece / pieces;
    const w = (piece + 1) / pieces;
    const betweenX = from.vx + (u + w) * dx + u * w * ex;
    const betweenY = from.vy + (u + w) * dy + u * w * ey;
    const endX = from.vx + w * (2 * dx + w * ex);
    const endY = from.vy + w * (2 * dy + w * ey);
    highestSquare = Math.max(
      highestSquare,
      betweenX * betweenX + betweenY * betweenY,
      endX * endX + endY * endY,
    );
  }
  return Math.sqrt(highestSquare);
}
