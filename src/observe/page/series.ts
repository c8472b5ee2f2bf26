const msPerS = 1000;

/** The newest points are kept as they came: those of a minute, and at most this many. */
const fullMs = 60_000;
const mostFull = 20_000;

/** Older ones are kept for this long, ms. */
const keptMs = 3_600_000;

/** Older points are merged each time when this many new ones have come. */
const mergeEvery = 500;

/**
 * Values over the time, ms: of the last minute each one, of the last hour the worst of each second. Typed arrays:
 * there is one for each of up to 256 controllers.
 */
export class Series {
  #t = new Float64Array(0);
  #ms = new Float32Array(0);
  #length = 0;
  #mergeAt = mergeEvery;

  /** A view, until the next change. */
  get t(): Float64Array {
    return this.#t.subarray(0, this.#length);
  }

  /** As `t`. */
  get ms(): Float32Array {
    return this.#ms.subarray(0, this.#length);
  }

  /** @param t not before that of the last point. */
  push(t: number, ms: number): void {
    if (this.#length === this.#t.length) this.#reserve(0, this.#mergeAt);
    this.#t[this.#length] = t;
    this.#ms[this.#length] = ms;
    this.#length++;
    if (this.#length < this.#mergeAt) return;
    this.#merge(t);
    // Room for all until the next time.
    if (this.#t.length < this.#mergeAt) this.#reserve(0, this.#mergeAt);
  }

  /** Points before all others. */
  prepend(t: readonly number[], ms: readonly number[]): void {
    this.#reserve(t.length, this.#mergeAt + t.length);
    this.#t.set(t);
    this.#ms.set(ms);
    this.#mergeAt += t.length;
  }

  /** Moves all points by some places, into memory for as many as `capacity`. */
  #reserve(by: number, capacity: number): void {
    const { t, ms } = this;
    this.#t = new Float64Array(capacity);
    this.#ms = new Float32Array(capacity);
    this.#t.set(t, by);
    this.#ms.set(ms, by);
    this.#length += by;
  }

  #merge(now: number): void {
    const { t, ms } = this;
    const fullFrom = Math.max(now - fullMs, t.at(-mostFull) ?? 0);
    let kept = 0;
    for (const [i, each] of t.entries()) {
      if (each < now - keptMs) continue;
      const value = ms[i] ?? 0;
      if (kept > 0 && each < fullFrom && isSameSecond(t[kept - 1], each)) {
        ms[kept - 1] = Math.max(ms[kept - 1] ?? 0, value);
        continue;
      }
      t[kept] = each;
      ms[kept] = value;
      kept++;
    }
    this.#length = kept;
    this.#mergeAt = kept + mergeEvery;
  }
}

function isSameSecond(a: number | undefined, b: number): boolean {
  return a !== undefined && Math.floor(a / msPerS) === Math.floor(b / msPerS);
}
