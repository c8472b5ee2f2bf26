import type { History, HistorySecond, MarkView, ReplyView, StartView } from './page-protocol.js';

const keptSeconds = 3600;
const msPerS = 1000;

interface Counts {
  ms: number | null;
  misses: number;
  refusals: number;
  stops: number;
}

interface Second {
  readonly controllers: Map<number, Counts>;
  latenessMs: number | null;
}

/** The last hour: the longest times and the counts of each second. */
export class SecondsHistory {
  readonly #seconds = new Map<number, Second>();

  reply({ id, t, ms }: ReplyView): void {
    const counts = this.#counts(id, t);
    counts.ms = Math.max(counts.ms ?? 0, ms);
  }

  start({ t, latenessMs }: StartView): void {
    const second = this.#second(t);
    second.latenessMs = Math.max(second.latenessMs ?? latenessMs, latenessMs);
  }

  mark({ kind, id, t }: MarkView): void {
    const counts = this.#counts(id, t);
    if (kind === 'miss') counts.misses++;
    else if (kind === 'refusal') counts.refusals++;
    else counts.stops++;
  }

  history(): History {
    const seconds: HistorySecond[] = [];
    const starts: StartView[] = [];
    for (const [number, { controllers, latenessMs }] of this.#seconds) {
      const t = number * msPerS;
      if (latenessMs !== null) starts.push({ t, latenessMs });
      for (const [id, counts] of controllers) seconds.push({ t, id, ...counts });
    }
    return { seconds, starts };
  }

  #counts(id: number, t: number): Counts {
    const { controllers } = this.#second(t);
    let counts = controllers.get(id);
    if (counts === undefined) {
      counts = { ms: null, misses: 0, refusals: 0, stops: 0 };
      controllers.set(id, counts);
    }
    return counts;
  }

  #second(t: number): Second {
    const number = Math.floor(t / msPerS);
    let second = this.#seconds.get(number);
    if (second === undefined) {
      second = { controllers: new Map(), latenessMs: null };
      this.#seconds.set(number, second);
      const [oldest] = this.#seconds.keys();
      if (this.#seconds.size > keptSeconds && oldest !== undefined) this.#seconds.delete(oldest);
    }
    return second;
  }
}
