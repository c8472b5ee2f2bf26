import { nsPerS } from '../time.js';
import type { TrajectoryPoint } from '../command.js';
import { hermiteCubic, magnitude, slopeOf, valueOf } from '../hermite.js';

/** The path between two of its places is the straight line, at a speed that changes steadily, to so much, m. */
const exactM = 5e-4;

/** Between two points of a plan are no more places than this. */
const mostPieces = 32;

/** The path has about so many points of a plan at most, and reaches this far into its future, ns. */
const mostPoints = 256;
const windowNs = 30n * nsPerS;

/** Numbers beyond this are no place in a lab, m and m/s. */
export const largest = 1e9;

/** A vehicle that moves by less than this does not turn round, m. */
const noWayM = 1e-6;

/** A place on a planned path. */
export interface PathPlace {
  readonly x: number;
  readonly y: number;
  /** Direction of travel, a unit vector; 0, 0 on a path without a length. */
  readonly dx: number;
  readonly dy: number;
}

/**
 * Numbers of each place in the list of a path, in this order. The emergency stop is made anew for all
 * vehicles all the time, so a path is one array, and no list of objects.
 */
const numbers = { tNs: 0, s: 1, x: 2, y: 3, speed: 4 } as const;
const numbersPerPlace = 5;

/**
 * The path of a planned trajectory, by its length. A vehicle that brakes on it comes to rest on the
 * planned path, whatever speed the plan has there. Where the plan turns round the vehicle stands, so the
 * path lies between two of these places.
 */
export class PlannedPath {
  /** The time of the plan from which the times of the places count, ns. */
  readonly #zeroNs: bigint;
  readonly #places: Float64Array;
  readonly #last: number;

  private constructor(zeroNs: bigint, places: Float64Array) {
    this.#zeroNs = zeroNs;
    this.#places = places;
    this.#last = places.length / numbersPerPlace - 1;
  }

  /**
   * @param nowNs the points around this time of the plan are used, ns.
   * @returns null where the plan is none: no point, times that do not rise, numbers that are not
   *   finite or too large for a place.
   */
  static of(plan: readonly TrajectoryPoint[], nowNs: bigint): PlannedPath | null {
    const sinceNs = nowNs - nsPerS;
    const next = plan.findIndex(({ t }) => t.nanoseconds > sinceNs);
    const from = next < 0 ? Math.max(0, plan.length - 2) : Math.max(0, next - 1);
    const first = plan[from];
    if (first === undefined) return null;
    const worked = workedFrom(plan, from);
    if (worked.places === null) return null;
    const atNs = Number(nowNs - first.t.nanoseconds);
    const { path } = worked;
    if (path !== null && worked.sinceNs <= atNs && atNs < worked.untilNs) return path;
    const leg = legAt(worked.places, atNs);
    const beginNs = leg.places[numbers.tNs] ?? 0;
    const zeroNs = first.t.nanoseconds + BigInt(beginNs);
    worked.path = new PlannedPath(zeroNs, beginNs === 0 ? leg.places : fromZero(leg.places));
    worked.sinceNs = leg.sinceNs;
    worked.untilNs = leg.untilNs;
    return worked.path;
  }

  /** The time of the plan at which the path begins, ns. */
  get beginNs(): bigint {
    return this.#zeroNs;
  }

  /** m */
  get length(): number {
    return this.#of(this.#last, numbers.s);
  }

  /** Where the plan is at a time, ns: path length, m, and speed, m/s; rest before and after it. */
  atTime(tNs: bigint): { readonly s: number; readonly speed: number } {
    const afterNs = Number(tNs - this.#zeroNs);
    const next = this.#firstAfter(numbers.tNs, afterNs);
    if (next > this.#last) {
      const isEnd = afterNs === this.#of(this.#last, numbers.tNs);
      return { s: this.length, speed: isEnd ? this.#of(this.#last, numbers.speed) : 0 };
    }
    if (next === 0) return { s: 0, speed: 0 };
    const fromNs = this.#of(next - 1, numbers.tNs);
    const part = (afterNs - fromNs) / (this.#of(next, numbers.tNs) - fromNs);
    const between = (number: number): number => {
      const before = this.#of(next - 1, number);
      return before + part * (this.#of(next, number) - before);
    };
    return { s: between(numbers.s), speed: between(numbers.speed) };
  }

  /** The path length, m, of the place nearest to a point, and how far away that is, m. */
  nearest(x: number, y: number): { readonly s: number; readonly distance: number } {
    const places = this.#places;
    const best = { s: 0, distance: Infinity };
    let fromX = places[numbers.x] ?? 0;
    let fromY = places[numbers.y] ?? 0;
    let fromS = places[numbers.s] ?? 0;
    for (let to = 0; to < places.length; to += numbersPerPlace) {
      const toX = places[to + numbers.x] ?? 0;
      const toY = places[to + numbers.y] ?? 0;
      const toS = places[to + numbers.s] ?? 0;
      const [dx, dy, length] = [toX - fromX, toY - fromY, toS - fromS];
      const along = length > 0 ? ((x - fromX) * dx + (y - fromY) * dy) / (length * length) : 0;
      const part = Math.min(1, Math.max(0, along));
      const distance = magnitude(x - fromX - part * dx, y - fromY - part * dy);
      if (distance < best.distance) {
        best.s = fromS + part * length;
        best.distance = distance;
      }
      [fromX, fromY, fromS] = [toX, toY, toS];
    }
    return best;
  }

  /** The place at a path length, m; before the path and after it the path goes straight on. */
  at(s: number): PathPlace {
    const to = Math.min(this.#last, Math.max(1, this.#firstAfter(numbers.s, s)));
    let from = to;
    while (from > 0 && this.#of(from, numbers.s) >= this.#of(to, numbers.s)) from--;
    const length = this.#of(to, numbers.s) - this.#of(from, numbers.s);
    const [x, y] = [this.#of(from, numbers.x), this.#of(from, numbers.y)];
    if (length <= 0)
      return { x: this.#of(to, numbers.x), y: this.#of(to, numbers.y), dx: 0, dy: 0 };
    const dx = (this.#of(to, numbers.x) - x) / length;
    const dy = (this.#of(to, numbers.y) - y) / length;
    const along = s - this.#of(from, numbers.s);
    return { x: x + dx * along, y: y + dy * along, dx, dy };
  }

  /** The first place beyond a value; one after the last place when none is. */
  #firstAfter(number: number, value: number): number {
    let [from, to] = [0, this.#last + 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#of(middle, number) <= value) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #of(index: number, number: number): number {
    return this.#places[index * numbersPerPlace + number] ?? 0;
  }
}

/** The cached places of a plan from one of its points on, and the path that was last cut from them. */
interface Worked {
  readonly from: number;
  readonly places: Float64Array | null;
  /** The path for the times from the first of these on and before the second, ns after that point. */
  path: PlannedPath | null;
  sinceNs: number;
  untilNs: number;
}

/** Two of each plan, the last used first: the emergency samples are for now, and for the end of a hang. */
const workedPlans = new WeakMap<readonly TrajectoryPoint[], readonly Worked[]>();

/** A stop and the emergency samples ask for the same places many times. */
function workedFrom(plan: readonly TrajectoryPoint[], from: number): Worked {
  const [last, before] = workedPlans.get(plan) ?? [];
  if (last?.from === from) return last;
  const worked = before?.from === from ? before : workedOut(plan, from);
  workedPlans.set(plan, last === undefined ? [worked] : [worked, last]);
  return worked;
}

function workedOut(plan: readonly TrajectoryPoint[], from: number): Worked {
  // The next point is not more than a second ago; the one before it may be long ago.
  const untilNs = ((plan[from + 1] ?? plan[from])?.t.nanoseconds ?? 0n) + windowNs;
  const end = plan.findIndex(({ t }, i) => i > from && t.nanoseconds >= untilNs);
  const places = placesOf(thinned(plan.slice(from, end < 0 ? undefined : end + 1)));
  return { from, places, path: null, sinceNs: 0, untilNs: 0 };
}

/** Of a denser plan every second point, every third and so on, and the last one. */
function thinned(plan: readonly TrajectoryPoint[]): readonly TrajectoryPoint[] {
  const every = Math.ceil(plan.length / mostPoints);
  return every === 1 ? plan : plan.filter((_, i) => i % every === 0 || i === plan.length - 1);
}

/** The places on the path through these points; null when time does not go on, or where one is none. */
function placesOf(points: readonly TrajectoryPoint[]): Float64Array | null {
  const [first, ...others] = points;
  if (first === undefined) return null;
  let count = 1;
  let from = first;
  for (const to of others) {
    const lengthNs = nsBetween(from, to);
    if (lengthNs === 0) return null;
    count += piecesOf(from, to, lengthNs / Number(nsPerS));
    from = to;
  }
  const places = new Float64Array(count * numbersPerPlace);
  places.set([0, 0, first.px, first.py, magnitude(first.vx, first.vy)]);
  let at = numbersPerPlace;
  from = first;
  for (const to of others) {
    at = addPlaces(places, at, from, to);
    from = to;
  }
  return areUsable(places) ? places : null;
}

/** 0 where time does not go on. Like most of what is worked out here, this allocates nothing once it is compiled. */
function nsBetween({ t: from }: TrajectoryPoint, { t: to }: TrajectoryPoint): number {
  if (to.nanoseconds <= from.nanoseconds) return 0;
  return Number(BigInt.asUintN(64, to.nanoseconds - from.nanoseconds));
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
  readonly places: Float64Array;
  /** It is the leg of the times from the first of these on and before the second, ns. */
  readonly sinceNs: number;
  readonly untilNs: number;
}

/** A copy of the places whose times and lengths begin at 0. */
function fromZero(places: Float64Array): Float64Array {
  const copy = places.slice();
  const beginNs = places[numbers.tNs] ?? 0;
  const beginM = places[numbers.s] ?? 0;
  for (let at = 0; at < copy.length; at += numbersPerPlace) {
    copy[at + numbers.tNs] = (copy[at + numbers.tNs] ?? 0) - beginNs;
    copy[at + numbers.s] = (copy[at + numbers.s] ?? 0) - beginM;
  }
  return copy;
}

/** The places from the last turn of the plan before a time, ns, to the first one after it. */
function legAt(places: Float64Array, atNs: number): Leg {
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
      if (turnNs > atNs) {
        const leg = places.subarray(begin, from + numbersPerPlace);
        return { places: leg, sinceNs, untilNs: turnNs };
      }
      begin = from;
      sinceNs = turnNs;
    }
    from = to;
    dx = x;
    dy = y;
  }
  return { places: places.subarray(begin), sinceNs, untilNs: Infinity };
}

/** False when a number is no part of a place in a lab. */
function areUsable(places: Float64Array): boolean {
  for (let i = 0; i < places.length; i++) {
    if (i % numbersPerPlace !== numbers.tNs && !(Math.abs(places[i] ?? 0) < largest)) return false;
  }
  return true;
}

/**
 * Writes the places from one point to the next, the latter included, at an index of the list.
 * @returns the index after them
 */
function addPlaces(
  places: Float64Array,
  index: number,
  from: TrajectoryPoint,
  to: TrajectoryPoint,
): number {
  const lengthNs = nsBetween(from, to);
  const lengthS = lengthNs / Number(nsPerS);
  const pieces = piecesOf(from, to, lengthS);
  const alongX = hermiteCubic(from.px, from.vx, to.px, to.vx, lengthS);
  const alongY = hermiteCubic(from.py, from.vy, to.py, to.vy, lengthS);
  const fromNs = places[index - numbersPerPlace + numbers.tNs] ?? 0;
  let s = places[index - numbersPerPlace + numbers.s] ?? 0;
  let at = index;
  let lastX = from.px;
  let lastY = from.py;
  for (let piece = 1; piece <= pieces; piece++) {
    const part = piece / pieces;
    const x = valueOf(alongX, part);
    const y = valueOf(alongY, part);
    s += magnitude(x - lastX, y - lastY);
    places[at + numbers.tNs] = fromNs + Math.round(part * lengthNs);
    places[at + numbers.s] = s;
    places[at + numbers.x] = x;
    places[at + numbers.y] = y;
    places[at + numbers.speed] = magnitude(slopeOf(alongX, part), slopeOf(alongY, part)) / lengthS;
    at += numbersPerPlace;
    lastX = x;
    lastY = y;
  }
  return at;
}
