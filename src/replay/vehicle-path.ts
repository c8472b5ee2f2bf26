/** A pose of a vehicle, m, at a time of its own clock after the first start signal, s. */
export interface PathPoint {
  readonly timeS: number;
  readonly x: number;
  readonly y: number;
}

/** The most poses of a path: 22 min at 50 Hz. */
const mostPoses = 65_536;

const firstPoses = 256;
const numbers = 3;

/**
 * The poses of a vehicle over time, in bounded memory: of a longer path every second pose is kept, then every
 * fourth, and so on.
 */
export class VehiclePath implements Iterable<PathPoint> {
  #columns = new Float64Array(numbers * firstPoses);
  #length = 0;
  #added = 0;
  /** Of so many poses one is kept. */
  #stride = 1;
  #last: PathPoint | undefined;

  /** Poses kept. */
  get length(): number {
    return this.#length;
  }

  /** The newest pose, kept or not. */
  get last(): PathPoint | undefined {
    return this.#last;
  }

  add(point: PathPoint): void {
    this.#last = point;
    if (this.#added++ % this.#stride !== 0) return;
    if (this.#length === mostPoses) this.#thin();
    const at = numbers * this.#length++;
    if (at === this.#columns.length) this.#grow();
    this.#columns.set([point.timeS, point.x, point.y], at);
  }

  /** Pose number `i` of those kept. */
  at(i: number): PathPoint | undefined {
    if (i < 0 || i >= this.#length) return undefined;
    const [timeS = 0, x = 0, y = 0] = this.#columns.subarray(numbers * i, numbers * (i + 1));
    return { timeS, x, y };
  }

  *[Symbol.iterator](): Iterator<PathPoint> {
    for (let i = 0; i < this.#length; i++) {
      const point = this.at(i);
      if (point !== undefined) yield point;
    }
  }

  #thin(): void {
    this.#length /= 2;
    this.#stride *= 2;
    for (let i = 1; i < this.#length; i++) {
      this.#columns.copyWithin(numbers * i, numbers * 2 * i, numbers * (2 * i + 1));
    }
  }

  #grow(): void {
    const columns = new Float64Array(2 * this.#columns.length);
    columns.set(this.#columns);
    this.#columns = columns;
  }
}
