import { earlier, later, nsPerMs, toS } from '../time.js';
import { planTime, type Forwarded } from './forwarded-commands.js';
import { largest } from './plan.js';
import type { PlannedPath } from './planned-path.js';
import { type Pose, restMps, type Sighting, type VehicleMotion } from './vehicle-motion.js';

/** A vehicle farther than this from its planned path does not follow it, m. */
const offPathM = 0.5;

/**
 * A vehicle that stood is where it stood for so long, ns, or until its plan has led it farther than this, m. In
 * a long period an older state counts, too, and the vehicle may have started since then.
 */
const standsForNs = 250n * nsPerMs;
const standsM = 0.03;

/** A vehicle that obeys the commands of a stop is nearer than this to where these have it, m. */
const apartM = 0.03;

/** A vehicle that is seen so much farther than it is commanded to be does not obey, m. */
const pastM = 0.3;

/** A rolling vehicle responds to a command after this time, ns. */
export const responseNs = 50n * nsPerMs;

/** A vehicle that follows its plan closes its distance to the planned place with this time constant, s. */
const closingS = 0.5;

/**
 * Where a vehicle brakes: at a length of its planned path, m, or at a place where it rests at once.
 * `byPlan` is the length that the plan alone gives, m: it holds when the states prove to be wrong.
 */
export type StopPlace =
  | { readonly path: PlannedPath; readonly s: number; readonly byPlan: number }
  | { readonly path: null; readonly x: number; readonly y: number };

/** True when the last sighting of a vehicle is near its plan at that instant, or there is no plan. */
export function isNearPlan(last: Forwarded | null, { sighting }: VehicleMotion): boolean {
  if (last === null || sighting === null) return true;
  const path = last.plan?.pathAt(planTime(last, sighting.atNs)) ?? null;
  return path === null || path.nearest(sighting.pose.x, sighting.pose.y).distance <= offPathM;
}

/**
 * Where a vehicle is that follows its plan until a steady instant, ns, as seen now. The plan counts
 * unless a reliable sighting contradicts it. A vehicle that stands, or is off its path, rests where it is.
 * @param untilNs null: it is not known how far it has followed the plan; the last sighting counts.
 */
export function plannedPlace(
  last: Forwarded,
  motion: VehicleMotion,
  untilNs: bigint | null,
  nowNs: bigint,
): StopPlace {
  const { sighting } = motion;
  const endNs = untilNs ?? sighting?.atNs ?? last.at.steadyNs;
  const path = last.plan?.pathAt(planTime(last, endNs)) ?? null;
  if (path === null) {
    const { x, y } = sighting?.pose ?? placeIn(last, planTime(last, endNs)) ?? { x: 0, y: 0 };
    return { path, x, y };
  }
  const planned = path.atTime(planTime(last, endNs));
  const reliable = motion.reliableSighting(nowNs);
  const seen = reliable ?? (untilNs === null ? sighting : seenAfter(motion, untilNs));
  const byPlan = Math.min(planned.s, path.length);
  if (seen === null) return { path, s: byPlan, byPlan };
  // Before its begin the plan says nothing of the place.
  const unplannedS = toS(later(path.beginNs - planTime(last, seen.atNs), 0n));
  const near = path.nearest(seen.pose.x, seen.pose.y);
  const isOff = near.distance > offPathM + Math.abs(motion.speedMps ?? 0) * unplannedS;
  const followedM = seen.atNs < endNs ? planned.s - path.atTime(planTime(last, seen.atNs)).s : 0;
  const isHere = stands(motion) && (followedM < standsM || nowNs - seen.atNs <= standsForNs);
  if (isOff || isHere) return { path: null, x: seen.pose.x, y: seen.pose.y };
  // It has followed its plan since then, or rolls until it responds.
  const rolls = reliable !== null && endNs < nowNs && seen.atNs >= endNs;
  const rolledS = rolls ? toS(nowNs - seen.atNs + responseNs) : 0;
  const sinceM = followedM + Math.abs(motion.speedMps ?? 0) * rolledS;
  // No farther than planned: the clock of the vehicle may be behind, and its states younger than they look.
  const farthestM = followedM > 0 ? Math.max(near.s, planned.s) : path.length;
  const s = Math.min(near.s + sinceM, farthestM, path.length);
  return { path, s, byPlan: untilNs === null ? s : byPlan };
}

/** The last sighting, however old, of a vehicle that had ended to follow its plan; null where there was none since. */
function seenAfter(motion: VehicleMotion, endNs: bigint): Sighting | null {
  const { sighting } = motion;
  return sighting !== null && sighting.atNs > endNs ? motion.reliableSighting(sighting.atNs) : null;
}

/** The last place of a plan until a time, ns, whatever its speeds are; null where it has no such place. */
function placeIn(
  { plan }: Forwarded,
  tNs: bigint,
): { readonly x: number; readonly y: number } | null {
  const point = plan?.points.findLast(({ t, px, py }) => {
    return t.nanoseconds <= tNs && Math.abs(px) < largest && Math.abs(py) < largest;
  });
  return point === undefined ? null : { x: point.px, y: point.py };
}

/**
 * Where a vehicle is that is to follow a plan which has not begun: where it is seen, or as far before the begin of
 * the plan as it drives until then.
 * @param speedMps of the vehicle, m/s
 * @param onM the place is farther by this, m
 */
export function placeBeforePlan(
  waiting: Forwarded,
  motion: VehicleMotion,
  speedMps: number,
  nowNs: bigint,
  onM = 0,
): StopPlace {
  const beginNs = planTime(waiting, waiting.validFromNs);
  const seen = motion.reliableSighting(nowNs);
  const path = seen === null ? waiting.plan?.pathAt(beginNs) : null;
  if (path) {
    const s = path.atTime(beginNs).s - speedMps * toS(waiting.validFromNs - nowNs) + onM;
    return { path, s, byPlan: s };
  }
  return placeSeen(motion, onM) ?? { path: null, ...(placeIn(waiting, beginNs) ?? { x: 0, y: 0 }) };
}

/**
 * Where a vehicle was last seen, and so much farther, m, in the direction in which it drives; null where it never
 * was.
 */
export function placeSeen({ sighting, speedMps }: VehicleMotion, onM: number): StopPlace | null {
  if (sighting === null) return null;
  return onwards(sighting.pose, onM, speedMps ?? 0);
}

/** A place so much farther, m, in the direction in which a vehicle drives with this pose and speed, m/s. */
function onwards({ x, y, yaw }: Pose, wayM: number, speedMps: number): StopPlace {
  const forwardM = speedMps < 0 ? -wayM : wayM;
  if (!Number.isFinite(yaw)) return { path: null, x, y };
  return { path: null, x: x + forwardM * Math.cos(yaw), y: y + forwardM * Math.sin(yaw) };
}

/** Where a vehicle is at a steady instant, ns, that follows its plan; null where the plan is none. */
export function placeOnPlan(forwarded: Forwarded, atNs: bigint): StopPlace | null {
  const tNs = planTime(forwarded, atNs);
  const path = forwarded.plan?.pathAt(tNs) ?? null;
  return path && onPath(path, path.atTime(tNs).s);
}

/** Where a vehicle will be at a later steady instant, ns, when it follows its plan until then. */
export function placeAhead(
  last: Forwarded,
  motion: VehicleMotion,
  untilNs: bigint,
  nowNs: bigint,
): StopPlace {
  const hereNs = earlier(untilNs, nowNs);
  const here = plannedPlace(last, motion, hereNs, nowNs);
  if (here.path === null) return here;
  const path = last.plan?.pathAt(planTime(last, untilNs)) ?? null;
  if (path === null) return here;
  const closed = Math.exp(-toS(untilNs - hereNs) / closingS);
  const besidePlanM = (here.s - here.path.atTime(planTime(last, hereNs)).s) * closed;
  const s = path.atTime(planTime(last, untilNs)).s + besidePlanM;
  return onPath(path, s);
}

/** A place on a path, farther by this way, m. */
export function ahead(place: StopPlace, wayM: number): StopPlace {
  if (place.path === null) return place;
  const on = (s: number) => Math.min(s + wayM, place.path.length);
  return { path: place.path, s: on(place.s), byPlan: on(place.byPlan) };
}

/** True for places between which a vehicle has driven on. */
export function isApart(first: StopPlace, second: StopPlace): boolean {
  const [a, b] = [pointOf(first), pointOf(second)];
  return Math.hypot(a.x - b.x, a.y - b.y) > apartM;
}

/** True for a vehicle that has driven past a place on a path. */
export function isPast({ x, y }: Pose, place: StopPlace): boolean {
  return place.path !== null && place.path.nearest(x, y).s > place.s + pastM;
}

function pointOf(place: StopPlace): { readonly x: number; readonly y: number } {
  return place.path === null ? place : place.path.at(place.s);
}

/** The place of a vehicle that obeys another kind than trajectories: it rolls on where it is not seen. */
export function rolledOn(
  place: { readonly x: number; readonly y: number },
  motion: VehicleMotion,
  wayM: number,
  nowNs: bigint,
): StopPlace {
  const seen = motion.reliableSighting(nowNs);
  const rolledM = seen && Math.abs(motion.speedMps ?? 0) * toS(nowNs - seen.atNs);
  const from = seen?.pose ?? { ...place, yaw: motion.sighting?.pose.yaw ?? NaN };
  return onwards(from, rolledM ?? wayM, motion.speedMps ?? 0);
}

/** The place at a length of a path, m, as near to that as the path goes. */
function onPath(path: PlannedPath, s: number): StopPlace {
  const bounded = Math.min(Math.max(0, s), path.length);
  return { path, s: bounded, byPlan: bounded };
}

/** What a vehicle drives from one stop command to the next, m. */
export interface BrakingWay {
  /** By the commanded speeds, behind which it lags. */
  readonly commandedM: number;
  /** When it brakes from the first of them with the declared deceleration. */
  readonly longestM: number;
}

/**
 * The place of the next stop command. On the path it never goes back, and no farther forward than a
 * braking vehicle drives, whatever its states say. Off the path it is where the vehicle was last seen.
 * @param beganNs of the stop. States that contradicted themselves since then, or shortly before, say
 *   nothing for the rest of it: poses that agree again may be those of another place.
 */
export function nextPlace(
  place: StopPlace,
  motion: VehicleMotion,
  { commandedM, longestM }: BrakingWay,
  nowNs: bigint,
  beganNs: bigint,
): StopPlace {
  const isUnsteady = motion.isUnsteadySince(beganNs);
  const seen = isUnsteady ? null : motion.reliableSighting(nowNs);
  const here = seen && { path: null, x: seen.pose.x, y: seen.pose.y };
  const { path } = place;
  if (path === null) return here ?? place;
  const byPlan = Math.min(place.byPlan + commandedM, path.length);
  if (seen === null || here === null) {
    const s = Math.min(place.s + commandedM, path.length);
    return { path, s: isUnsteady ? Math.max(s, byPlan) : s, byPlan };
  }
  if (stands(motion) && nowNs - seen.atNs <= standsForNs) return here;
  const near = path.nearest(seen.pose.x, seen.pose.y);
  if (near.distance > offPathM) return here;
  const since = Math.abs(motion.speedMps ?? 0) * toS(nowNs - seen.atNs);
  const farthest = Math.min(place.s + longestM, path.length);
  return { path, s: Math.max(place.s, Math.min(near.s + since, farthest)), byPlan };
}

function stands({ speedMps }: VehicleMotion): boolean {
  return speedMps !== null && Math.abs(speedMps) <= restMps;
}
