import type {
  ControllerHistory,
  MarkKind,
  MarkView,
  ReplyView,
  StartView,
} from './page-protocol.js';

const keptSeconds = 3600;
const msPerS = 1000;
const usPerMs = 1000;

/** The last hour: the longest times and the counts of each second. */
export class SecondsHistory {
  /** Seconds since 1970; each has its place in all arrays. NaN: the place is free. */
  readonly #seconds = new Float64Array(keptSeconds).fill(NaN);
  /** The latest start signal of each second, ms; NaN: there was none. */
  readonly #latenessMs = emptyTimes();
  readonly #controllers = new Map<number, ControllerSeconds>();

  reply({ id, t, ms }: ReplyView): void {
    const place = this.#placeOf(t);
    keepLongest(this.#controller(id).ms, place, ms);
  }

  start({ t, latenessMs }: StartView): void {
    keepLongest(this.#latenessMs, this.#placeOf(t), latenessMs);
  }

  mark({ kind, id, t }: MarkView): void {
    const place = this.#placeOf(t);
    this.#controller(id).count(kind, place);
  }

  /** JSON of a `History`, in parts: an hour of 100 controllers is long. */
  *json(): Generator<string> {
    const places = [...this.#seconds.keys()].filter((i) => !Number.isNaN(this.#seconds[i]));
    places.sort((a, b) => (this.#seconds[a] ?? 0) - (this.#seconds[b] ?? 0));
    const seconds = places.map((i) => this.#seconds[i]);
    const latenessMs = timesAt(places, this.#latenessMs);
    yield `{"seconds":${JSON.stringify(seconds)},"latenessMs":${JSON.stringify(latenessMs)},"controllers":[`;
    let separator = '';
    for (const [id, controller] of this.#controllers) {
      yield `${separator}${JSON.stringify({ id, ...controller.at(places) })}`;
      separator = ',';
    }
    yield ']}';
  }

  #controller(id: number): ControllerSeconds {
    let controller = this.#controllers.get(id);
    if (controller === undefined) {
      controller = new ControllerSeconds();
      this.#controllers.set(id, controller);
    }
    return controller;
  }

  /** The place of a time in all arrays; a second takes that of an hour before. */
  #placeOf(t: number): number {
    const second = Math.floor(t / msPerS);
    const place = second % keptSeconds;
    if (this.#seconds[place] === second) return place;
    this.#seconds[place] = second;
    this.#latenessMs[place] = NaN;
    for (const controller of this.#controllers.values()) controller.clear(place);
    return place;
  }
}

/** Typed arrays: an object for each second of 100 controllers would take 40 MB. */
class ControllerSeconds {
  readonly ms = emptyTimes();
  /** There are none before the first mark of a kind. */
  readonly #counts: Partial<Record<MarkKind, Uint32Array>> = {};

  count(kind: MarkKind, place: number): void {
    const counts = (this.#counts[kind] ??= new Uint32Array(keptSeconds));
    counts[place] = (counts[place] ?? 0) + 1;
  }

  clear(place: number): void {
    this.ms[place] = NaN;
    for (const counts of Object.values(this.#counts)) counts[place] = 0;
  }

  at(places: readonly number[]): Omit<ControllerHistory, 'id'> {
    const { miss, refusal, stop } = this.#counts;
    const marks = {
      miss: countsAt(places, miss),
      refusal: countsAt(places, refusal),
      stop: countsAt(places, stop),
    };
    return { ms: timesAt(places, this.ms), marks };
  }
}

function emptyTimes(): Float32Array {
  return new Float32Array(keptSeconds).fill(NaN);
}

function keepLongest(times: Float32Array, place: number, ms: number): void {
  const before = times[place] ?? NaN;
  if (!(before >= ms)) times[place] = ms;
}

/** To the microsecond; null: there is none. */
function timesAt(places: readonly number[], times: Float32Array): (number | null)[] {
  return places.map((place) => {
    const ms = times[place] ?? NaN;
    return Number.isNaN(ms) ? null : Math.round(ms * usPerMs) / usPerMs;
  });
}

/** Index of a place and the count there alternate; places without any are absent. */
function countsAt(places: readonly number[], counts: Uint32Array | undefined): number[] {
  if (counts === undefined) return [];
  return places.flatMap((place, i) => {
    const count = counts[place] ?? 0;
    return count > 0 ? [i, count] : [];
  });
}
