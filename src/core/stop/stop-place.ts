import { earlier, later, nsPerMs, nsPerS, toS } from '../time.js';
import type { TrajectoryPoint } from '../command.js';
import { planTime, type Forwarded } from './forwarded-commands.js';
import { largest } from './plan.js';
import type { PlannedPath } from './planned-path.js';
import { type Pose, restMps, type Sighting, type VehicleMotion } from './vehicle-motion.js';

/** A vehicle farther than this from its planned path does not follow it, m. */
export const offPathM = 0.5;

/**
 * A vehicle that stood is where it stood for this long, ns, or until its plan has led it farther than this, m. In
 * a long period an older state counts, too, and the vehicle may have started since then.
 */
export const standsForNs = 250n * nsPerMs;
const standsM = 0.03;

/** A vehicle is where its plan has been at rest for this long, ns, whatever point of it its poses are of. */
const settledNs = nsPerS;

/** A vehicle that is this far beyond the end of its plan drives on after it, m. */
const beyondM = 0.03;

/** A vehicle is not farther ahead of its plan than this, m, but its poses may be of a point that is. */
const leadM = 0.5;

/** A pose that has jumped is that of the same place again when it is beside its plan as before, but for this, m. */
const sameM = 0.2;

/** A rolling vehicle responds to a command after this time, ns. */
export const responseNs = 50n * nsPerMs;

/** A vehicle that lags behind a falling speed has the one of this time before at most, ns. */
const longestLagNs = 200n * nsPerMs;

/** A vehicle that follows its plan closes its distance to the planned place with this time constant, s. */
const closingS = 0.5;

/**
 * Where a vehicle brakes: at a length of its planned path, m, or at a place where it rests at once.
 * `byPlan` is the length that the plan alone gives, m: it holds when the states prove to be wrong. The vehicle is
 * seen `offsetM` farther than it is, since its poses are of another point than the places of its plan, and while it
 * drives `aheadS` of its way, s, more: its clock is not that of this program.
 */
export type StopPlace =
  | {
      readonly path: PlannedPath;
      readonly s: number;
      readonly byPlan: number;
      readonly offsetM: number;
      readonly aheadS: number;
      /** Both together, m. */
      readonly seenAheadM: number;
    }
  | { readonly path: null; readonly x: number; readonly y: number };

/** How far a vehicle is seen ahead of the planned place, and away from the planned path, m. */
export interface BesidePlan {
  readonly aheadM: number;
  readonly awayM: number;
}

/** Null where there is no plan for that time, or the vehicle was not seen. */
export function besidePlan(last: Forwarded | null, seen: Sighting | null): BesidePlan | null {
  if (last === null || seen === null) return null;
  const tNs = planTime(last, seen.atNs);
  const path = last.plan?.pathAt(tNs) ?? null;
  if (path === null) return null;
  const plannedS = path.atTime(tNs).s;
  const near = path.nearest(seen.pose.x, seen.pose.y, plannedS);
  return { aheadM: near.s - plannedS, awayM: near.distance };
}

/** True for a pose that has jumped and is beside the plan as it was before, or where there is no plan. */
export function isBack(before: BesidePlan | null, now: BesidePlan | null): boolean {
  if (before === null || now === null) return true;
  return Math.abs(now.aheadM - before.aheadM) <= sameM && now.awayM <= offPathM;
}

/**
 * Where a vehicle is that follows its plan until a steady instant, ns, as seen now. The plan counts
 * unless a reliable sighting contradicts it. A vehicle that stands, or is off its path, rests where it is; one that
 * stands near where its plan rests, too, rests there.
 * @param untilNs null: it is not known how far it has followed the plan; the last sighting counts.
 * @param rollsForNs one that does not follow it any more rolls for so long from now on, ns.
 */
export function plannedPlace(
  last: Forwarded,
  motion: VehicleMotion,
  untilNs: bigint | null,
  nowNs: bigint,
  rollsForNs = responseNs,
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
  if (seen === null) return { path, s: byPlan, byPlan, ...asItIs };
  // Before its begin the plan says nothing of the place.
  const unplannedS = toS(later(path.beginNs - planTime(last, seen.atNs), 0n));
  const thenS = path.atTime(planTime(last, seen.atNs)).s;
  const near = path.nearest(seen.pose.x, seen.pose.y, thenS);
  const isOff = near.distance > offPathM + Math.abs(motion.speedMps ?? 0) * unplannedS;
  const followedM = seen.atNs < endNs ? planned.s - thenS : 0;
  const isHere = showsRest(motion) && (followedM < standsM || nowNs - seen.atNs <= standsForNs);
  if (isHere) {
    const rest = restOf(last, path, endNs, untilNs !== null);
    const { x, y } = seen.pose;
    if (rest !== null && Math.hypot(x - rest.x, y - rest.y) <= leadM) return rest;
  }
  const isBeyond = planned.s >= path.length && near.s >= path.length && near.distance > beyondM;
  if (isOff || isBeyond || isHere) return { path: null, x: seen.pose.x, y: seen.pose.y };
  // It has followed its plan since then, or rolls on.
  const rolls = reliable !== null && endNs < nowNs && seen.atNs >= endNs;
  const rolledS = rolls ? toS(nowNs - seen.atNs + rollsForNs) : 0;
  const sinceM = followedM + Math.abs(motion.speedMps ?? 0) * rolledS;
  const seenS = near.s + sinceM;
  const onPlanS = notBeyond(planned.s, near.s, seenS);
  const before = path.atTime(planTime(last, endNs) - longestLagNs);
  const closing = closingM(planned.speed, before.speed, motion);
  const isAheadM = Math.min(closing, Math.max(0, seenS - onPlanS));
  const s = Math.min(rolls ? seenS : onPlanS + isAheadM, path.length);
  const byTime = untilNs === null ? s : byPlan;
  if (rolls) return { path, s, byPlan: byTime, ...asItIs };
  const stampedS = path.atTime(planTime(last, seen.atNs + seen.stampAheadNs)).s;
  const offsetM = offsetOf(near.s - stampedS, near.s - planned.s - isAheadM);
  const speedMps = Math.abs(motion.speedMps ?? 0);
  const aheadS = speedMps > restMps ? (seenS - s - Math.max(0, offsetM)) / speedMps : 0;
  return { path, s, byPlan: byTime, offsetM, aheadS, seenAheadM: seenS - s };
}

/**
 * Where a plan has been at rest for a while at a steady instant, ns: a vehicle that stands is there. Null: it has not
 * been.
 * @param isFollowed the vehicle has followed it until then: no other program has stopped it
 */
function restOf(
  last: Forwarded,
  path: PlannedPath,
  atNs: bigint,
  isFollowed: boolean,
): Extract<StopPlace, { path: null }> | null {
  const tNs = planTime(last, atNs);
  const planEndNs = last.plan?.points.at(-1)?.t.nanoseconds ?? tNs;
  if (path.beginNs > tNs) return null;
  const { s, speed } = path.atTime(earlier(tNs, planEndNs));
  if (speed > restMps || s - path.atTime(tNs - settledNs).s >= standsM) return null;
  const { x, y } = path.at(s);
  const isThere = ({ px, py }: TrajectoryPoint) => Math.hypot(px - x, py - y) < standsM;
  // Another program may have stopped it on its way, but not where there is no way.
  if (!isFollowed && last.plan?.points.every(isThere) !== true) return null;
  return { path: null, x, y };
}

/**
 * How far a vehicle is ahead of its plan, m, that lets the plan catch up, since it is slower; or that lags behind the
 * speed of its plan, since that has fallen.
 * @param plannedMps now, and a response before, m/s
 */
function closingM(plannedMps: number, beforeMps: number, { speedMps }: VehicleMotion): number {
  const fasterMps = Math.abs(speedMps ?? plannedMps) - plannedMps;
  const fallenMps = Math.max(0, beforeMps - plannedMps);
  return closingS * Math.max(-fasterMps, Math.min(fasterMps, fallenMps));
}

/** A vehicle whose poses are of the point that its plan moves, by the clock of this program. */
const asItIs = { offsetM: 0, aheadS: 0, seenAheadM: 0 } as const;

/**
 * How far the pose of a vehicle is ahead of its place, m, also when it stands.
 * @param byStampM as far is it ahead of its plan at the time of its stamp, m
 * @param nowM and so far if its clock is wrong, and the state is of now, m
 */
function offsetOf(byStampM: number, nowM: number): number {
  if (byStampM > leadM || byStampM < -leadM) return 0;
  if (byStampM < 0) return byStampM;
  return Math.max(0, Math.min(byStampM, nowM));
}

/** The length at which a vehicle is seen that is at this place of its path, m. */
export function seenAt(
  { s, offsetM, aheadS }: Extract<StopPlace, { offsetM: number }>,
  { speedMps }: VehicleMotion,
): number {
  return s + Math.max(0, offsetM) + Math.abs(speedMps ?? 0) * aheadS;
}

/**
 * How far a vehicle is on its path, m, that is seen a little ahead of where it is planned: there. Its poses may be of
 * another point than the places of its plan, and its clock behind, so that they look older than they are.
 * @param nearS where it was seen, m
 * @param seenS where it is now by that, m
 */
function notBeyond(plannedS: number, nearS: number, seenS: number): number {
  if (seenS <= plannedS) return seenS;
  return nearS <= plannedS + leadM ? plannedS : nearS;
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
    return { path, s, byPlan: s, ...asItIs };
  }
  return (
    placeSeen(motion.sighting, motion, onM) ?? {
      path: null,
      ...(placeIn(waiting, beginNs) ?? { x: 0, y: 0 }),
    }
  );
}

/** Where a vehicle was seen, and this much farther, m, in the direction in which it drives; null where it was not. */
export function placeSeen(
  seen: Sighting | null,
  { speedMps }: VehicleMotion,
  onM: number,
): StopPlace | null {
  return seen && onwards(seen.pose, onM, speedMps ?? 0);
}

/** A place this much farther, m, in the direction in which a vehicle drives with this pose and speed, m/s. */
export function onwards({ x, y, yaw }: Pose, wayM: number, speedMps: number): StopPlace {
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
  const path = last.plan?.pathAt(planTime(last, untilNs)) ?? null;
  if (path === null) return here;
  if (here.path === null) {
    return setsOut(last, motion, hereNs, untilNs)
      ? onPath(path, path.atTime(planTime(last, untilNs)).s)
      : here;
  }
  const closed = Math.exp(-toS(untilNs - hereNs) / closingS);
  const besidePlanM = (here.s - here.path.atTime(planTime(last, hereNs)).s) * closed;
  const s = path.atTime(planTime(last, untilNs)).s + besidePlanM;
  return onPath(path, s);
}

/** True for a vehicle that stands on its plan, and is led on by it until a later steady instant, ns. */
function setsOut(last: Forwarded, motion: VehicleMotion, hereNs: bigint, untilNs: bigint): boolean {
  const [here, then] = [placeOnPlan(last, hereNs), placeOnPlan(last, untilNs)];
  const pose = motion.sighting?.pose;
  if (!here?.path || !then?.path || !pose || !showsRest(motion)) return false;
  const [from, to] = [here.path.at(here.s), then.path.at(then.s)];
  const isOnPlan = Math.hypot(pose.x - from.x, pose.y - from.y) <= leadM;
  return isOnPlan && Math.hypot(to.x - from.x, to.y - from.y) > standsM;
}

/** A place on a path, farther by this way, m. */
export function ahead(place: StopPlace, wayM: number): StopPlace {
  if (place.path === null) return place;
  const on = (s: number) => Math.min(s + wayM, place.path.length);
  return { ...place, s: on(place.s), byPlan: on(place.byPlan) };
}

/** The place at a length of a path, m, as near to that as the path goes. */
function onPath(path: PlannedPath, s: number): StopPlace {
  const bounded = Math.min(Math.max(0, s), path.length);
  return { path, s: bounded, byPlan: bounded, ...asItIs };
}

/** True when the last state shows rest. */
export function showsRest({ speedMps }: VehicleMotion): boolean {
  return speedMps !== null && Math.abs(speedMps) <= restMps;
}
