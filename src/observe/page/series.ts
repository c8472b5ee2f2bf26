const msPerS = 1000;

/** The newest points are kept as they came: those of a minute, and so many at most. */
const fullMs = 60_000;
const mostFull = 20_000;

/** Older ones are kept for so long, ms. */
const keptMs = 3_600_000;

/** Older points are merged each time when so many new ones have come. */
const mergeEvery = 1000;

/** Values over the time, ms: of the last minute each one, of the last hour the worst of each second. */
export class Series {
  readonly t: number[] = [];
  readonly ms: (number | null)[] = [];
  #mergeAt = mergeEvery;

  /** @param t not before that of the last point. */
  push(t: number, ms: number | null): void {
    this.t.push(t);
    this.ms.push(ms);
    if (this.t.length >= this.#mergeAt) this.#merge(t);
  }

  /** Points before all others. */
  prepend(t: readonly number[], ms: readonly (number | null)[]): void {
    this.t.unshift(...t);
    this.ms.unshift(...ms);
  }

  #merge(now: number): void {
    const { t, ms } = this;
    const fullFrom = Math.max(now - fullMs, t.at(-mostFull) ?? 0);
    let kept = 0;
    for (const [i, each] of t.entries()) {
      if (each < now - keptMs) continue;
      const value = ms[i] ?? null;
      if (kept > 0 && each < fullFrom && isSameSecond(t[kept - 1], each)) {
        ms[kept - 1] = worst(ms[kept - 1] ?? null, value);
        continue;
      }
      t[kept] = each;
      ms[kept] = value;
      kept++;
    }
    t.length = ms.length = kept;
    this.#mergeAt = kept + mergeEvery;
  }
}

function isSameSecond(a: number | undefined, b: number): boolean {
  return a !== undefined && Math.floor(a / msPerS) === Math.floor(b / msPerS);
}

function worst(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
