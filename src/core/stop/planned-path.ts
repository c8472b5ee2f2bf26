import { nsPerS, toS } from '../time.js';
import type { TrajectoryPoint } from '../command.js';
import { hermite } from '../hermite.js';

/** Places that are worked out between two points of a plan. */
const placesPerSegment = 8;

/** Points of a plan that are looked at: more than a vehicle drives before it stands. */
const mostPoints = 256;

/** Numbers beyond this are no place in a lab, m and m/s. */
const largest = 1e9;

/** A place on a planned path. */
export interface PathPlace {
  readonly x: number;
  readonly y: number;
  /** Direction of travel, a unit vector; 0, 0 on a path without a length. */
  readonly dx: number;
  readonly dy: number;
}

interface Node {
  /** Time of the plan, ns. */
  readonly tNs: bigint;
  /** Length of the path up to here, m. */
  readonly s: number;
  readonly x: number;
  readonly y: number;
  /** m/s */
  readonly speed: number;
}

/**
 * The path of a planned trajectory, by its length. A vehicle that brakes on it comes to rest on the
 * planned path, whatever speed the plan has there.
 */
export class PlannedPath {
  readonly #nodes: readonly [Node, ...Node[]];

  private constructor(nodes: readonly [Node, ...Node[]]) {
    this.#nodes = nodes;
  }

  /**
   * @param nowNs the points around this time of the plan are used, ns.
   * @returns null where the plan is none: no point, times that do not rise, numbers that are not
   *   finite or too large for a place.
   */
  static of(plan: readonly TrajectoryPoint[], nowNs: bigint): PlannedPath | null {
    const next = plan.findIndex(({ t }) => t.nanoseconds > nowNs - nsPerS);
    const from = next < 0 ? Math.max(0, plan.length - 2) : Math.max(0, next - 1);
    const points = plan.slice(from, from + mostPoints);
    const nodes: Node[] = [];
    for (const [i, point] of points.entries()) {
      const before = points[i - 1];
      if (before !== undefined && !addSegment(nodes, before, point)) return null;
      if (before === undefined) nodes.push(nodeAt(point, 0));
    }
    const [first, ...others] = nodes;
    if (first === undefined || !nodes.every(isPlace)) return null;
    return new PlannedPath([first, ...others]);
  }

  /** m */
  get length(): number {
    return this.#end.s;
  }

  /** Where the plan is at a time, ns: path length, m, and speed, m/s; rest before and after it. */
  atTime(tNs: bigint): { readonly s: number; readonly speed: number } {
    const next = this.#nodes.findIndex((node) => node.tNs > tNs);
    if (next < 0) return { s: this.length, speed: tNs === this.#end.tNs ? this.#end.speed : 0 };
    const to = this.#nodes[next] ?? this.#end;
    const from = this.#nodes[next - 1];
    if (from === undefined) return { s: 0, speed: 0 };
    const part = Number(tNs - from.tNs) / Number(to.tNs - from.tNs);
    return {
      s: from.s + part * (to.s - from.s),
      speed: from.speed + part * (to.speed - from.speed),
    };
  }

  /** The path length, m, of the place nearest to a point, and how far away that is, m. */
  nearest(x: number, y: number): { readonly s: number; readonly distance: number } {
    let best = { s: 0, distance: Infinity };
    for (const [i, to] of this.#nodes.entries()) {
      const from = this.#nodes[i - 1] ?? to;
      const length = to.s - from.s;
      const along =
        length > 0
          ? ((x - from.x) * (to.x - from.x) + (y - from.y) * (to.y - from.y)) / length ** 2
          : 0;
      const part = Math.min(1, Math.max(0, along));
      const distance = Math.hypot(
        x - from.x - part * (to.x - from.x),
        y - from.y - part * (to.y - from.y),
      );
      if (distance < best.distance) best = { s: from.s + part * length, distance };
    }
    return best;
  }

  /** The place at a path length, m; before the path and after it the path goes straight on. */
  at(s: number): PathPlace {
    const next = this.#nodes.findIndex((node) => node.s > s);
    const index = next < 0 ? this.#nodes.length - 1 : Math.max(1, next);
    const to = this.#nodes[index] ?? this.#end;
    const from = this.#nodes.slice(0, index).findLast((node) => node.s < to.s) ?? to;
    const length = to.s - from.s;
    if (length <= 0) return { x: to.x, y: to.y, dx: 0, dy: 0 };
    const dx = (to.x - from.x) / length;
    const dy = (to.y - from.y) / length;
    return { x: from.x + dx * (s - from.s), y: from.y + dy * (s - from.s), dx, dy };
  }

  get #end(): Node {
    return this.#nodes.at(-1) ?? this.#nodes[0];
  }
}

/** Adds the places from one point to the next; false when time does not go on. */
function addSegment(nodes: Node[], from: TrajectoryPoint, to: TrajectoryPoint): boolean {
  const lengthNs = to.t.nanoseconds - from.t.nanoseconds;
  if (lengthNs <= 0n) return false;
  const lengthS = toS(lengthNs);
  const [a, b] = [from, to].map(({ px, py, vx, vy }) => ({ x: px, y: py, dx: vx, dy: vy }));
  if (a === undefined || b === undefined) return false;
  for (let step = 1; step <= placesPerSegment; step++) {
    const part = step / placesPerSegment;
    const { x, y, dx, dy } = hermite(a, b, lengthS, part);
    const last = nodes.at(-1);
    const s = (last?.s ?? 0) + Math.hypot(x - (last?.x ?? x), y - (last?.y ?? y));
    const tNs = from.t.nanoseconds + BigInt(Math.round(part * Number(lengthNs)));
    nodes.push({ tNs, s, x, y, speed: Math.hypot(dx, dy) });
  }
  return true;
}

function nodeAt({ t, px, py, vx, vy }: TrajectoryPoint, s: number): Node {
  return { tNs: t.nanoseconds, s, x: px, y: py, speed: Math.hypot(vx, vy) };
}

function isPlace({ s, x, y, speed }: Node): boolean {
  return [s, x, y, speed].every((value) => Math.abs(value) < largest);
}
