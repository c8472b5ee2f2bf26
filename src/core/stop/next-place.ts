import { toS } from '../time.js';
import { offPathM, onwards, seenAt, type StopPlace } from './stop-place.js';
import type { Sighting, VehicleMotion } from './vehicle-motion.js';

/** A vehicle that obeys the commands of a stop is nearer than this to where these have it, m. */
const apartM = 0.03;

/** A vehicle that is seen this much farther than it is commanded to be, m, and this fast, m/s, does not obey. */
const pastM = 0.3;
const onwardsMps = 0.5;

/** A vehicle that rests this far from where it is commanded to is blocked, m. */
const blockedM = 0.5;

/** What is known of where a vehicle is. */
export interface Visible {
  /** Null: the states do not say where it is. */
  readonly seen: Sighting | null;
  /** It may not have come to rest yet. */
  readonly mayRoll: boolean;
}

/** What a vehicle drives from one stop command to the next, m. */
export interface BrakingWay {
  /** By the commanded speeds, behind which it lags. */
  readonly commandedM: number;
  /** When it brakes from the first of them with the declared deceleration. */
  readonly longestM: number;
}

/** From a place to where the vehicle is seen, m. */
function distanceFrom(place: StopPlace, { pose }: Sighting): number {
  const { x, y } = pointOf(place);
  return Math.hypot(pose.x - x, pose.y - y);
}

/** True for places between which a vehicle has driven on. */
export function isApart(first: StopPlace, second: StopPlace): boolean {
  const [a, b] = [pointOf(first), pointOf(second)];
  return Math.hypot(a.x - b.x, a.y - b.y) > apartM;
}

/** True for a vehicle that drives on past a place. */
export function isPast(seen: Sighting, motion: VehicleMotion, place: StopPlace): boolean {
  // One that closes the last decimetres to its place is slower.
  if (Math.abs(motion.speedMps ?? 0) < onwardsMps) return false;
  if (place.path === null) return distanceFrom(place, seen) > pastM;
  const { x, y } = seen.pose;
  const seenS = seenAt(place, motion);
  return place.path.nearest(x, y, seenS).s > seenS + pastM;
}

/** The point that a place names, m, m. */
export function pointOf(place: StopPlace): { readonly x: number; readonly y: number } {
  return place.path === null ? place : place.path.at(place.s);
}

/** The place of a vehicle that obeys another kind than trajectories: it rolls on where it is not seen. */
export function rolledOn(
  place: { readonly x: number; readonly y: number },
  motion: VehicleMotion,
  seen: Sighting | null,
  wayM: number,
  nowNs: bigint,
): StopPlace {
  const rolledM = seen && Math.abs(motion.speedMps ?? 0) * toS(nowNs - seen.atNs);
  const from = seen?.pose ?? { ...place, yaw: motion.sighting?.pose.yaw ?? NaN };
  return onwards(from, rolledM ?? wayM, motion.speedMps ?? 0);
}

/** Where a vehicle comes to rest that is seen to stand: there, as far as its poses are not of another point. */
export function placeOfRest(place: StopPlace, seen: Sighting): StopPlace {
  const { x, y } = seen.pose;
  if (place.path === null)
    return distanceFrom(place, seen) > blockedM ? { path: null, x, y } : place;
  // One that was seen behind its plan may have lagged behind, or something has stopped it.
  const aheadM = Math.max(0, place.offsetM);
  // Its poses are of the point that its plan moves: it lagged behind the falling speed of that.
  if (distanceFrom(place, seen) < aheadM / 2) return { path: null, ...pointOf(place) };
  const near = place.path.nearest(x, y, place.s + aheadM);
  if (near.distance > offPathM) return { path: null, x, y };
  const { dx, dy } = place.path.at(near.s);
  return { path: null, x: x - dx * aheadM, y: y - dy * aheadM };
}

/**
 * The place of the next stop command. On the path it never goes back, and no farther forward than a
 * braking vehicle drives, whatever its states say. Off the path it is where the vehicle was last seen,
 * as long as it may roll. Then it stays, unless the vehicle rests elsewhere: poses of another point of the
 * vehicle would move each place on, and the vehicle with it.
 * @param isUnsteady the states have contradicted themselves: they say nothing for the rest of the stop.
 */
export function nextPlace(
  place: StopPlace,
  motion: VehicleMotion,
  visible: Visible,
  { commandedM, longestM }: BrakingWay,
  nowNs: bigint,
  isUnsteady: boolean,
): StopPlace {
  const seen = isUnsteady ? null : visible.seen;
  const here = seen && { path: null, x: seen.pose.x, y: seen.pose.y };
  const { path } = place;
  if (path === null) return here !== null && visible.mayRoll ? here : place;
  const byPlan = Math.min(place.byPlan + commandedM, path.length);
  if (seen === null || here === null) {
    const s = Math.min(place.s + commandedM, path.length);
    return { ...place, s: isUnsteady ? Math.max(s, byPlan) : s, byPlan };
  }
  const expectedS = seenAt(place, motion);
  const near = path.nearest(seen.pose.x, seen.pose.y, expectedS);
  if (near.distance > offPathM) return here;
  const since = Math.abs(motion.speedMps ?? 0) * toS(nowNs - seen.atNs);
  const seenAheadM = expectedS - place.s;
  // What it is ahead by its clock becomes way as it comes to rest.
  const becomesM = Math.max(0, place.seenAheadM - seenAheadM);
  const farthest = Math.min(place.s + longestM + becomesM, path.length);
  const seenS = near.s + since - seenAheadM;
  return { ...place, s: Math.max(place.s, Math.min(seenS, farthest)), byPlan, seenAheadM };
}
