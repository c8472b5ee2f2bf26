/** A value at a time after the first start signal, s. */
export interface Point {
  readonly timeS: number;
  readonly value: number;
}

/** Quantiles of values; all 0 without values. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The most points of a series; a chart draws 1200 of them. */
const mostPoints = 4096;

/** The most values that quantiles come from. Of more values these are a random sample; the maximum is exact. */
const mostValues = 16_384;

/**
 * Values over time, in bounded memory however many there are: the least and the largest value of each interval,
 * so that no peak is lost, and a sample of all values.
 */
export class TimeSeries {
  #count = 0;
  #max = 0;
  #points: Point[] = [];
  readonly #interval = new Interval();
  /** Values in an interval, of which two points are kept. */
  #intervalValues = 1;
  readonly #values: number[] = [];
  readonly #random = new Random();

  /** Values so far. */
  get count(): number {
    return this.#count;
  }

  /** All points, or fewer in their place, ascending in time. */
  get points(): readonly Point[] {
    return [...this.#points, ...this.#interval.ends];
  }

  get quantiles(): Quantiles {
    const sorted = Float64Array.from(this.#values).sort();
    const at = (part: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
    return { p50: at(0.5) ?? 0, p99: at(0.99) ?? 0, max: this.#max };
  }

  /** @param timeS not before that of the value before. */
  add(timeS: number, value: number): void {
    this.#max = this.#count === 0 ? value : Math.max(this.#max, value);
    this.#count++;
    this.#sample(value);
    this.#interval.add({ timeS, value });
    if (this.#interval.count < this.#intervalValues) return;
    this.#points.push(...this.#interval.ends);
    this.#interval.clear();
    if (this.#points.length >= mostPoints) this.#thin();
  }

  /** Halves the points: two intervals become one. */
  #thin(): void {
    const kept: Point[] = [];
    const interval = new Interval();
    for (const point of this.#points) {
      interval.add(point);
      if (interval.count < pointsPerStep) continue;
      kept.push(...interval.ends);
      interval.clear();
    }
    this.#points = kept;
    this.#intervalValues = this.#intervalValues === 1 ? pointsPerStep : 2 * this.#intervalValues;
  }

  /** Each value so far is in the sample with the same probability. */
  #sample(value: number): void {
    if (this.#values.length < mostValues) {
      this.#values.push(value);
      return;
    }
    const place = this.#random.below(this.#count);
    if (place < mostValues) this.#values[place] = value;
  }
}

/** Points of two intervals. */
const pointsPerStep = 4;

/** The points of an interval with the least and the largest value. */
class Interval {
  #least: Point | undefined;
  #most: Point | undefined;
  count = 0;

  /** One or two points, ascending in time; none when it is empty. */
  get ends(): Point[] {
    const [least, most] = [this.#least, this.#most];
    if (least === undefined || most === undefined) return [];
    if (this.count === 1) return [least];
    return least.timeS <= most.timeS ? [least, most] : [most, least];
  }

  add(point: Point): void {
    if (this.#least === undefined || point.value < this.#least.value) this.#least = point;
    if (this.#most === undefined || point.value >= this.#most.value) this.#most = point;
    this.count++;
  }

  clear(): void {
    this.#least = undefined;
    this.#most = undefined;
    this.count = 0;
  }
}

/** The same numbers in each run, so that a report of the same recording is the same: xorshift32. */
class Random {
  #state = 0x9e37_79b9;

  /** A whole number from 0, less than this. */
  below(limit: number): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
}
