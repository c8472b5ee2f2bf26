import type { VehicleView } from '../live/page-protocol.js';

const keptTrail = 120;
/** Shorter gaps of a trail are drawn as a line, m. */
const leastReach = 0.1;
/** In real time, states come more often, ms. */
const longestGapMs = 250;

/**
 * Adds the places of a vehicle since the update before.
 * @param trail x and y alternate, metres; NaN, NaN where the vehicle jumped, or its place is unknown.
 */
export function extendTrail(
  trail: number[],
  before: VehicleView | undefined,
  vehicle: VehicleView,
): void {
  const speed = Math.max(Math.abs(before?.speed ?? 0), Math.abs(vehicle.speed ?? 0));
  // The page does not have the simulated time between two states.
  const gapMs = vehicle.trail === undefined ? vehicle.t - (before?.t ?? 0) : longestGapMs;
  const reach = leastReach + (2 * speed * Math.min(gapMs, longestGapMs)) / 1000;
  const between = vehicle.trail ?? [];
  let from = before && pointOf(before.x, before.y);
  for (let i = 0; i <= between.length; i += 2) {
    const isBetween = i < between.length;
    const to = isBetween ? pointOf(between[i], between[i + 1]) : pointOf(vehicle.x, vehicle.y);
    const isFar = from !== undefined && Math.hypot(to.x - from.x, to.y - from.y) > reach;
    if (isFar) trail.push(NaN, NaN);
    trail.push(to.x, to.y);
    from = to;
  }
  if (trail.length > 2 * keptTrail) trail.splice(0, trail.length - 2 * keptTrail);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** NaN, NaN: the place is unknown. */
function pointOf(x: number | null | undefined, y: number | null | undefined): Point {
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : { x: NaN, y: NaN };
}
