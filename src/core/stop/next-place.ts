import { toS } from '../time.js';
import { offPathM, onwards, stands, standsForNs, type StopPlace } from './stop-place.js';
import type { Sighting, VehicleMotion } from './vehicle-motion.js';

/** A vehicle that obeys the commands of a stop is nearer than this to where these have it, m. */
const apartM = 0.03;

/** A vehicle that is seen so much farther than it is commanded to be, m, and so fast, m/s, does not obey. */
const pastM = 0.3;
const onwardsMps = 0.5;

/** A vehicle that rests so far from where it is commanded to was carried or blocked, m. */
const carriedM = 0.1;
const blockedM = 0.5;

/** What is known of where a vehicle is. */
export interface Visible {
  /** Corrected by the offset where that is known; null: the states do not say where it is. */
  readonly seen: Sighting | null;
  /** The vehicle has come to rest at a commanded place, and its poses there are compared with that. */
  readonly isOffsetKnown: boolean;
  /** It may not have come to rest yet. */
  readonly mayRoll: boolean;
  /** It cannot have come to rest yet by braking as declared. */
  readonly brakes: boolean;
}

/** How far the poses of a vehicle are from the point that its plan moves, m, m. */
export interface Offset {
  readonly x: number;
  readonly y: number;
}

function magnitudeOf({ x, y }: Offset): number {
  return Math.hypot(x, y);
}

/** What a vehicle drives from one stop command to the next, m. */
export interface BrakingWay {
  /** By the commanded speeds, behind which it lags. */
  readonly commandedM: number;
  /** When it brakes from the first of them with the declared deceleration. */
  readonly longestM: number;
}

/** How far the poses of a vehicle are from a place, m, m. */
export function wayFrom(place: StopPlace, { pose }: Sighting): Offset {
  const { x, y } = pointOf(place);
  return { x: pose.x - x, y: pose.y - y };
}

/** A sighting whose pose is of the point of the vehicle that its plan moves. */
export function corrected(seen: Sighting, { x, y }: Offset): Sighting {
  return { ...seen, pose: { ...seen.pose, x: seen.pose.x - x, y: seen.pose.y - y } };
}

/** True for places between which a vehicle has driven on. */
export function isApart(first: StopPlace, second: StopPlace): boolean {
  const [a, b] = [pointOf(first), pointOf(second)];
  return Math.hypot(a.x - b.x, a.y - b.y) > apartM;
}

/** True for a vehicle that drives on past a place. */
export function isPast(seen: Sighting, { speedMps }: VehicleMotion, place: StopPlace): boolean {
  // One that closes the last decimetres to its place is slower.
  if (Math.abs(speedMps ?? 0) < onwardsMps) return false;
  if (place.path === null) return magnitudeOf(wayFrom(place, seen)) > pastM;
  const { x, y } = seen.pose;
  return place.path.nearest(x, y).s > place.s + place.seenAheadM + pastM;
}

function pointOf(place: StopPlace): { readonly x: number; readonly y: number } {
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

/**
 * The place of the next stop command. On the path it never goes back, and no farther forward than a
 * braking vehicle drives, whatever its states say. Off the path it is where the vehicle was last seen,
 * as long as it may roll. Then it stays, unless the vehicle rests elsewhere: poses of another point of the
 * vehicle would move each place on, and the vehicle with it.
 * @param beganNs of the stop. States that contradicted themselves since then, or shortly before, say
 *   nothing for the rest of it: poses that agree again may be those of another place.
 */
export function nextPlace(
  place: StopPlace,
  motion: VehicleMotion,
  visible: Visible,
  { commandedM, longestM }: BrakingWay,
  nowNs: bigint,
  beganNs: bigint,
): StopPlace {
  const isUnsteady = motion.isUnsteadySince(beganNs);
  const seen = isUnsteady ? null : visible.seen;
  const here = seen && { path: null, x: seen.pose.x, y: seen.pose.y };
  const { path } = place;
  const rests = seen !== null && stands(motion) && nowNs - seen.atNs <= standsForNs;
  if (path === null) {
    // Where the offset is known, the place follows a vehicle that is pushed, and none that follows its place.
    const isElsewhere = visible.isOffsetKnown
      ? seen !== null && magnitudeOf(wayFrom(place, seen)) > carriedM
      : rests && magnitudeOf(wayFrom(place, seen)) > blockedM;
    return here !== null && (visible.mayRoll || isElsewhere) ? here : place;
  }
  const byPlan = Math.min(place.byPlan + commandedM, path.length);
  if (seen === null || here === null) {
    const s = Math.min(place.s + commandedM, path.length);
    return { ...place, s: isUnsteady ? Math.max(s, byPlan) : s, byPlan };
  }
  const near = path.nearest(seen.pose.x, seen.pose.y);
  if (near.distance > offPathM) return here;
  if (rests) {
    // One that was seen behind its plan may have lagged behind, unless it stands before it can have braked.
    const aheadM = visible.brakes ? place.offsetM : Math.max(0, place.offsetM);
    const { dx, dy } = path.at(near.s);
    return { path: null, x: here.x - dx * aheadM, y: here.y - dy * aheadM };
  }
  const since = Math.abs(motion.speedMps ?? 0) * toS(nowNs - seen.atNs);
  const farthest = Math.min(place.s + longestM, path.length);
  const seenS = near.s + since - place.seenAheadM;
  return { ...place, s: Math.max(place.s, Math.min(seenS, farthest)), byPlan };
}
