import { nsPerS } from '../time.js';
import type { TrajectoryPoint } from '../command.js';
import { hermite, magnitude } from '../hermite.js';

/** Places that are worked out between two points of a plan. */
const placesPerSegment = 8;

/** Points of a plan that are looked at: more than a vehicle drives before it stands. */
const mostPoints = 256;

/** Numbers beyond this are no place in a lab, m and m/s. */
const largest = 1e9;

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
    const next = plan.findIndex(({ t }) => t.nanoseconds > nowNs - nsPerS);
    const from = next < 0 ? Math.max(0, plan.length - 2) : Math.max(0, next - 1);
    const first = plan[from];
    if (first === undefined) return null;
    const places = placesFrom(plan, from, first);
    if (places === null) return null;
    const leg = legAt(places, Number(nowNs - first.t.nanoseconds));
    const [beginNs = 0, beginM = 0] = leg;
    for (let at = 0; at < leg.length; at += numbersPerPlace) {
      leg[at + numbers.tNs] = (leg[at + numbers.tNs] ?? 0) - beginNs;
      leg[at + numbers.s] = (leg[at + numbers.s] ?? 0) - beginM;
    }
    return new PlannedPath(first.t.nanoseconds + BigInt(beginNs), leg);
  }

  /** The time of the plan at which the path begins, ns. */
  get beginNs(): bigint {
    return this.#zeroNs;
  }

  /** m */
  get length(): number {
    return this.#of(this.#last, 's');
  }

  /** Where the plan is at a time, ns: path length, m, and speed, m/s; rest before and after it. */
  atTime(tNs: bigint): { readonly s: number; readonly speed: number } {
    const afterNs = Number(tNs - this.#zeroNs);
    const next = this.#firstAfter('tNs', afterNs);
    if (next > this.#last) {
      const isEnd = afterNs === this.#of(this.#last, 'tNs');
      return { s: this.length, speed: isEnd ? this.#of(this.#last, 'speed') : 0 };
    }
    if (next === 0) return { s: 0, speed: 0 };
    const fromNs = this.#of(next - 1, 'tNs');
    const part = (afterNs - fromNs) / (this.#of(next, 'tNs') - fromNs);
    const between = (name: 's' | 'speed'): number => {
      const before = this.#of(next - 1, name);
      return before + part * (this.#of(next, name) - before);
    };
    return { s: between('s'), speed: between('speed') };
  }

  /** The path length, m, of the place nearest to a point, and how far away that is, m. */
  nearest(x: number, y: number): { readonly s: number; readonly distance: number } {
    let best = { s: 0, distance: Infinity };
    for (let to = 0; to <= this.#last; to++) {
      const from = Math.max(0, to - 1);
      const [fromX, fromY, fromS] = [this.#of(from, 'x'), this.#of(from, 'y'), this.#of(from, 's')];
      const [dx, dy] = [this.#of(to, 'x') - fromX, this.#of(to, 'y') - fromY];
      const length = this.#of(to, 's') - fromS;
      const along = length > 0 ? ((x - fromX) * dx + (y - fromY) * dy) / length ** 2 : 0;
      const part = Math.min(1, Math.max(0, along));
      const distance = magnitude(x - fromX - part * dx, y - fromY - part * dy);
      if (distance < best.distance) best = { s: fromS + part * length, distance };
    }
    return best;
  }

  /** The place at a path length, m; before the path and after it the path goes straight on. */
  at(s: number): PathPlace {
    const to = Math.min(this.#last, Math.max(1, this.#firstAfter('s', s)));
    let from = to;
    while (from > 0 && this.#of(from, 's') >= this.#of(to, 's')) from--;
    const length = this.#of(to, 's') - this.#of(from, 's');
    const [x, y] = [this.#of(from, 'x'), this.#of(from, 'y')];
    if (length <= 0) return { x: this.#of(to, 'x'), y: this.#of(to, 'y'), dx: 0, dy: 0 };
    const dx = (this.#of(to, 'x') - x) / length;
    const dy = (this.#of(to, 'y') - y) / length;
    const along = s - this.#of(from, 's');
    return { x: x + dx * along, y: y + dy * along, dx, dy };
  }

  /** The first place beyond a value; one after the last place when none is. */
  #firstAfter(name: 'tNs' | 's', value: number): number {
    let index = 0;
    while (index <= this.#last && this.#of(index, name) <= value) index++;
    return index;
  }

  #of(index: number, name: keyof typeof numbers): number {
    return this.#places[index * numbersPerPlace + numbers[name]] ?? 0;
  }
}

/** The places of each plan from one of its points on, as they were worked out last. */
const worked = new WeakMap<
  readonly TrajectoryPoint[],
  { readonly from: number; readonly places: Float64Array | null }
>();

/** The places of a plan from a point on: a stop and the emergency samples ask for the same ones many times. */
function placesFrom(
  plan: readonly TrajectoryPoint[],
  from: number,
  first: TrajectoryPoint,
): Float64Array | null {
  const known = worked.get(plan);
  if (known?.from === from) return known.places;
  const places = placesOf(first, plan.slice(from, from + mostPoints));
  worked.set(plan, { from, places });
  return places;
}

/** The places on the path through these points; null when time does not go on, or where one is none. */
function placesOf(first: TrajectoryPoint, points: readonly TrajectoryPoint[]): Float64Array | null {
  const count = 1 + (points.length - 1) * placesPerSegment;
  const places = new Float64Array(count * numbersPerPlace);
  places.set([0, 0, first.px, first.py, magnitude(first.vx, first.vy)]);
  let from = first;
  let at = numbersPerPlace;
  for (const to of points.slice(1)) {
    if (to.t.nanoseconds <= from.t.nanoseconds) return null;
    addSegment(places, at, first.t.nanoseconds, from, to);
    from = to;
    at += placesPerSegment * numbersPerPlace;
  }
  return places.every(isUsable) ? places : null;
}

/** A copy of the places from the last turn of the plan before a time, ns, to the first one after it. */
function legAt(places: Float64Array, atNs: number): Float64Array {
  const of = (index: number, name: keyof typeof numbers): number =>
    places[index * numbersPerPlace + numbers[name]] ?? 0;
  const count = places.length / numbersPerPlace;
  let begin = 0;
  let [from, dx, dy] = [0, 0, 0];
  for (let to = 1; to < count; to++) {
    const [x, y] = [of(to, 'x') - of(from, 'x'), of(to, 'y') - of(from, 'y')];
    if (magnitude(x, y) < noWayM) continue;
    if (x * dx + y * dy < 0) {
      if (of(from, 'tNs') > atNs) {
        return places.slice(begin * numbersPerPlace, (from + 1) * numbersPerPlace);
      }
      begin = from;
    }
    [from, dx, dy] = [to, x, y];
  }
  return places.slice(begin * numbersPerPlace);
}

/** False for a number that is no part of a place in a lab. */
function isUsable(value: number, index: number): boolean {
  return index % numbersPerPlace === numbers.tNs || Math.abs(value) < largest;
}

/** Writes the places from one point to the next, the latter included, at an index of the list. */
function addSegment(
  places: Float64Array,
  index: number,
  zeroNs: bigint,
  from: TrajectoryPoint,
  to: TrajectoryPoint,
): void {
  const fromNs = Number(from.t.nanoseconds - zeroNs);
  const lengthNs = Number(to.t.nanoseconds - from.t.nanoseconds);
  const a = { x: from.px, y: from.py, dx: from.vx, dy: from.vy };
  const b = { x: to.px, y: to.py, dx: to.vx, dy: to.vy };
  let s = places[index - numbersPerPlace + numbers.s] ?? 0;
  let last: { readonly x: number; readonly y: number } = a;
  for (let step = 1; step <= placesPerSegment; step++) {
    const part = step / placesPerSegment;
    const place = hermite(a, b, lengthNs / Number(nsPerS), part);
    s += magnitude(place.x - last.x, place.y - last.y);
    const at = index + (step - 1) * numbersPerPlace;
    places[at + numbers.tNs] = fromNs + Math.round(part * lengthNs);
    places[at + numbers.s] = s;
    places[at + numbers.x] = place.x;
    places[at + numbers.y] = place.y;
    places[at + numbers.speed] = magnitude(place.dx, place.dy);
    last = place;
  }
}
