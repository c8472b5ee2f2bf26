import type { History, MarkKind, MarkView } from '../live/page-protocol.js';

const msPerS = 1000;

/** The newest marks are kept one by one: those of a minute, and at most this many. */
const fullMs = 60_000;
const mostFull = 4000;

/** Older ones are kept for this long, ms. */
const keptMs = 3_600_000;

/** Those of a controller become one for each second, and before the last minute for a longer time if there are more. */
const mostMarks = 20_000;
const widthsMs = [1, 10, 60, 600].map((s) => s * msPerS);

/** Older marks are merged each time when this many new ones have come. */
const mergeEvery = 1000;

/** Marks of one controller at one time, ms. */
export interface CountedMark {
  readonly id: number;
  readonly t: number;
  readonly count: number;
}

/** Misses, refusals and stops of the last hour: each in the last minute, before that as counts. None is dropped. */
export class Marks {
  readonly #kinds = { miss: new KindMarks(), refusal: new KindMarks(), stop: new KindMarks() };

  /** @param mark not before the last one. */
  push({ kind, id, t }: MarkView): void {
    this.#kinds[kind].push({ id, t, count: 1 });
  }

  /** Marks before all others, the oldest first. */
  prepend(kind: MarkKind, older: readonly CountedMark[]): void {
    this.#kinds[kind].prepend(older);
  }

  /** The oldest first. */
  of(kind: MarkKind): readonly CountedMark[] {
    return this.#kinds[kind].marks;
  }
}

class KindMarks {
  marks: CountedMark[] = [];
  #mergeAt = mergeEvery;

  push(mark: CountedMark): void {
    this.marks.push(mark);
    if (this.marks.length >= this.#mergeAt) this.#merge(mark.t);
  }

  prepend(older: readonly CountedMark[]): void {
    this.marks = [...older, ...this.marks];
  }

  #merge(now: number): void {
    const all = this.marks.filter(({ t }) => t >= now - keptMs);
    const fullFrom = Math.max(now - fullMs, all.at(-mostFull)?.t ?? 0);
    for (const widthMs of widthsMs) {
      this.marks = merged(all, fullFrom, (t) => (t < now - fullMs ? widthMs : msPerS));
      if (this.marks.length <= mostMarks) break;
    }
    this.#mergeAt = this.marks.length + mergeEvery;
  }
}

/** @param fullFrom marks from this time on stay as they are. */
function merged(
  all: readonly CountedMark[],
  fullFrom: number,
  widthOf: (t: number) => number,
): CountedMark[] {
  const counts = new Map<number, { id: number; t: number; count: number }>();
  const full: CountedMark[] = [];
  for (const mark of all) {
    if (mark.t >= fullFrom) {
      full.push(mark);
      continue;
    }
    const widthMs = widthOf(mark.t);
    const t = Math.floor(mark.t / widthMs) * widthMs;
    // Ids are below 256.
    const key = t * 256 + mark.id;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { id: mark.id, t, count: mark.count });
    else known.count += mark.count;
  }
  return [...counts.values(), ...full];
}

/** The marks of a kind in whole seconds before this time, the oldest first. @param before ms. */
export function marksOf(
  { seconds, controllers }: History,
  kind: MarkKind,
  before: number,
): CountedMark[] {
  const all: CountedMark[] = [];
  for (const { id, marks } of controllers) {
    const list = marks[kind];
    for (let i = 0; i < list.length; i += 2) {
      const t = (seconds[list[i] ?? 0] ?? 0) * msPerS;
      if (t + msPerS < before) all.push({ id, t, count: list[i + 1] ?? 0 });
    }
  }
  return all.sort((a, b) => a.t - b.t);
}

const mostIds = 8;

/** Ids and counts, as "2 (3 ×), 5"; empty without marks. */
export function marksText(marks: readonly CountedMark[]): string {
  const counts = new Map<number, number>();
  for (const { id, count } of marks) counts.set(id, (counts.get(id) ?? 0) + count);
  const all = [...counts].sort(([a], [b]) => a - b);
  const named = all
    .slice(0, mostIds)
    .map(([id, count]) => (count > 1 ? `${id} (${count} ×)` : String(id)));
  if (all.length > mostIds) named.push(`${all.length - mostIds} more`);
  return named.join(', ');
}
