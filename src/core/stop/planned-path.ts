import { magnitude } from '../hermite.js';

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
 * vehicles all the time, so a path is one list of numbers, and no list of objects.
 */
export const numbers = { tNs: 0, s: 1, x: 2, y: 3, speed: 4 } as const;
export const numbersPerPlace = 5;

/** A place 1 m farther along the path than expected must be nearer to the point by this, m. */
const unexpected = 0.05;

/**
 * The path of a planned trajectory, by its length. A vehicle that brakes on it comes to rest on the
 * planned path, whatever speed the plan has there. Where the plan turns round the vehicle stands, so the
 * path lies between two of these places.
 */
export class PlannedPath {
  /** The time of the plan from which the times of the places count, ns. */
  readonly #zeroNs: bigint;
  readonly #places: readonly number[];
  readonly #last: number;

  /** @param count how many places of the list, from the first one, are on the path. */
  constructor(zeroNs: bigint, places: readonly number[], count: number) {
    this.#zeroNs = zeroNs;
    this.#places = places;
    this.#last = count - 1;
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

  /**
   * The path length, m, of the place nearest to a point, and how far away that is, m.
   * @param aroundS where it is expected, m: of places that are about as near, as where the path crosses itself, the
   *   one nearest to that counts.
   */
  nearest(
    x: number,
    y: number,
    aroundS: number,
  ): { readonly s: number; readonly distance: number } {
    const places = this.#places;
    const best = { s: 0, distance: Infinity };
    let bestBy = Infinity;
    let fromX = places[numbers.x] ?? 0;
    let fromY = places[numbers.y] ?? 0;
    let fromS = places[numbers.s] ?? 0;
    const end = (this.#last + 1) * numbersPerPlace;
    for (let to = 0; to < end; to += numbersPerPlace) {
      const toX = places[to + numbers.x] ?? 0;
      const toY = places[to + numbers.y] ?? 0;
      const toS = places[to + numbers.s] ?? 0;
      const [dx, dy, length] = [toX - fromX, toY - fromY, toS - fromS];
      const along = length > 0 ? ((x - fromX) * dx + (y - fromY) * dy) / (length * length) : 0;
      const part = Math.min(1, Math.max(0, along));
      const distance = magnitude(x - fromX - part * dx, y - fromY - part * dy);
      const s = fromS + part * length;
      const by = distance + unexpected * Math.abs(s - aroundS);
      if (by < bestBy) {
        bestBy = by;
        best.s = s;
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
