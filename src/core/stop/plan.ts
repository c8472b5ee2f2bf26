import { nsPerS } from '../time.js';
import type { TrajectoryPoint } from '../command.js';
import { hermiteCubic, magnitude, slopeOf, valueOf } from '../hermite.js';
import { numbers, numbersPerPlace, PlannedPath } from './planned-path.js';

/** The largest distance of the path from the straight line between two of its places, m. */
const exactM = 5e-4;

/** Between two points of a plan are no more places than this. */
const mostPieces = 32;

/** The path has at most about this many points of a plan, and reaches this far into its future, ns. */
const mostPoints = 256;
const windowNs = 30n * nsPerS;

/** Numbers beyond this are no place in a lab, m and m/s. */
export const largest = 1e9;

/** A vehicle that moves by less than this does not turn round, m. */
const noWayM = 1e-6;

/** The cached places of a plan from one of its points on, and the path that was last cut from them. */
interface Worked {
  readonly from: number;
  /** The time of that point, ns. */
  readonly fromNs: bigint;
  readonly places: readonly number[] | null;
  /** The path for the times from the first of these on and before the second, ns after that point. */
  path: PlannedPath | null;
  sinceNs: number;
  untilNs: number;
}

/**
 * The plan of a trajectory, and what was worked out from it: a stop and the emergency samples ask for the same
 * places many times. It is kept with its command, and goes with it.
 */
export class Plan {
  readonly points: readonly TrajectoryPoint[];
  /** Two, the last used first: the emergency samples are for now, and for the end of a hang. */
  #last: Worked | null = null;
  #before: Worked | null = null;

  constructor(points: readonly TrajectoryPoint[]) {
    this.points = points;
  }

  /**
   * The path around a time of the plan, ns.
   * @returns null where the plan is none: no point, times that do not rise, numbers that are not
   *   finite or too large for a place.
   */
  pathAt(tNs: bigint): PlannedPath | null {
    const { points } = this;
    const sinceNs = tNs - nsPerS;
    const next = points.findIndex(({ t }) => t.nanoseconds > sinceNs);
    const from = next < 0 ? Math.max(0, points.length - 2) : Math.max(0, next - 1);
    const worked = this.#workedFrom(from);
    if (!worked?.places) return null;
    const { fromNs, places, path } = worked;
    const atNs = Number(tNs - fromNs);
    if (path !== null && worked.sinceNs <= atNs && atNs < worked.untilNs) return path;
    const leg = legAt(places, atNs);
    worked.path = pathOf(places, leg, fromNs);
    worked.sinceNs = leg.sinceNs;
    worked.untilNs = leg.untilNs;
    return worked.path;
  }

  #workedFrom(from: number): Worked | null {
    if (this.#last?.from === from) return this.#last;
    const worked = this.#before?.from === from ? this.#before : workedOut(this.points, from);
    this.#before = this.#last;
    this.#last = worked;
    return worked;
  }
}

function workedOut(points: readonly TrajectoryPoint[], from: number): Worked | null {
  const first = points[from];
  if (first === undefined) return null;
  const fromNs = first.t.nanoseconds;
  // The next point is not more than a second ago; the one before it may be long ago.
  const untilNs = (points[from + 1]?.t.nanoseconds ?? fromNs) + windowNs;
  const end = points.findIndex(({ t }, i) => i > from && t.nanoseconds >= untilNs);
  const places = placesOf(thinned(points.slice(from, end < 0 ? undefined : end + 1)));
  return { from, fromNs, places, path: null, sinceNs: 0, untilNs: 0 };
}

/** Of a denser plan every second point, every third and so on, and the last one. */
function thinned(plan: readonly TrajectoryPoint[]): readonly TrajectoryPoint[] {
  const every = Math.ceil(plan.length / mostPoints);
  return every === 1 ? plan : plan.filter((_, i) => i % every === 0 || i === plan.length - 1);
}

/** The places on the path through these points; null when time does not go on, or where one is none. */
function placesOf(points: readonly TrajectoryPoint[]): readonly number[] | null {
  let from = points[0];
  if (from === undefined) return null;
  const places = [0, 0, from.px, from.py, magnitude(from.vx, from.vy)];
  for (let i = 1; i < points.length; i++) {
    const to = points[i];
    if (to === undefined || to.t.nanoseconds <= from.t.nanoseconds) return null;
    addPlaces(places, from, to);
    from = to;
  }
  return areUsable(places) ? places : null;
}

/**
 * A curve lies off the straight line between two of its points by at most an eighth of its highest second
 * derivative with respect to the part between them. That of a cubic Hermite curve is highest at an end.
 */
function piecesOf(from: TrajectoryPoint, to: TrajectoryPoint, lengthS: number): number {
  const [x, y] = [6 * (to.px - from.px), 6 * (to.py - from.py)];
  const bend = Math.max(
    magnitude(x - (4 * from.vx + 2 * to.vx) * lengthS, y - (4 * from.vy + 2 * to.vy) * lengthS),
    magnitude(x - (2 * from.vx + 4 * to.vx) * lengthS, y - (2 * from.vy + 4 * to.vy) * lengthS),
  );
  const pieces = Math.ceil(Math.sqrt(bend / (8 * exactM)));
  return pieces <= mostPieces ? Math.max(1, pieces) : mostPieces;
}

/** A part of a plan without a turn. */
interface Leg {
  /** Index of its first number in the list of places, and the index after its last one. */
  readonly begin: number;
  readonly end: number;
  /** It is the leg of the times from the first of these on and before the second, ns. */
  readonly sinceNs: number;
  readonly untilNs: number;
}

/**
 * The places of a leg as a path of its own, whose times and lengths begin at 0.
 * @param fromNs time of the plan from which the times of the places count, ns.
 */
function pathOf(places: readonly number[], { begin, end }: Leg, fromNs: bigint): PlannedPath {
  const count = (end - begin) / numbersPerPlace;
  if (begin === 0) return new PlannedPath(fromNs, places, count);
  const own = places.slice(begin, end);
  const beginNs = places[begin + numbers.tNs] ?? 0;
  const beginM = places[begin + numbers.s] ?? 0;
  for (let at = 0; at < own.length; at += numbersPerPlace) {
    own[at + numbers.tNs] = (own[at + numbers.tNs] ?? 0) - beginNs;
    own[at + numbers.s] = (own[at + numbers.s] ?? 0) - beginM;
  }
  return new PlannedPath(fromNs + BigInt(beginNs), own, count);
}

/** From the last turn of the plan before a time, ns, to the first one after it. */
function legAt(places: readonly number[], atNs: number): Leg {
  let begin = 0;
  let sinceNs = -Infinity;
  let from = 0;
  let dx = 0;
  let dy = 0;
  for (let to = numbersPerPlace; to < places.length; to += numbersPerPlace) {
    const x = (places[to + numbers.x] ?? 0) - (places[from + numbers.x] ?? 0);
    const y = (places[to + numbers.y] ?? 0) - (places[from + numbers.y] ?? 0);
    if (magnitude(x, y) < noWayM) continue;
    if (x * dx + y * dy < 0) {
      const turnNs = places[from + numbers.tNs] ?? 0;
      if (turnNs > atNs) return { begin, end: from + numbersPerPlace, sinceNs, untilNs: turnNs };
      begin = from;
      sinceNs = turnNs;
    }
    from = to;
    dx = x;
    dy = y;
  }
  return { begin, end: places.length, sinceNs, untilNs: Infinity };
}

/** False when a number is no part of a place in a lab. */
function areUsable(places: readonly number[]): boolean {
  for (let i = 0; i < places.length; i++) {
    if (i % numbersPerPlace !== numbers.tNs && !(Math.abs(places[i] ?? 0) < largest)) return false;
  }
  return true;
}

/** Adds the places from one point to the next, the latter included. */
function addPlaces(places: number[], from: TrajectoryPoint, to: TrajectoryPoint): void {
  // With `asUintN` the engine needs no BigInt object for the difference.
  const lengthNs = Number(BigInt.asUintN(64, to.t.nanoseconds - from.t.nanoseconds));
  const lengthS = lengthNs / Number(nsPerS);
  const pieces = piecesOf(from, to, lengthS);
  const alongX = hermiteCubic(from.px, from.vx, to.px, to.vx, lengthS);
  const alongY = hermiteCubic(from.py, from.vy, to.py, to.vy, lengthS);
  const fromNs = places[places.length - numbersPerPlace + numbers.tNs] ?? 0;
  let s = places[places.length - numbersPerPlace + numbers.s] ?? 0;
  let lastX = from.px;
  let lastY = from.py;
  for (let piece = 1; piece <= pieces; piece++) {
    const part = piece / pieces;
    const x = valueOf(alongX, part);
    const y = valueOf(alongY, part);
    s += magnitude(x - lastX, y - lastY);
    const speed = magnitude(slopeOf(alongX, part), slopeOf(alongY, part)) / lengthS;
    // In the order of `numbers`.
    places.push(fromNs + Math.round(part * lengthNs), s, x, y, speed);
    lastX = x;
    lastY = y;
  }
}
