import {
  forgetOldest,
  startGrace,
  toMs,
  type Missed,
  type StartSignalSent,
} from '../../core/index.js';

/** A miss is judged at most one start signal later. */
const mostStarts = 4;

/** Start signals that this program sent late: then a miss is not the fault of a controller alone. */
export class LateStarts {
  /** What was late, by the time of the start signal; undefined where nothing was. */
  readonly #starts = new Map<bigint, string | undefined>();
  /** The same for the last miss of each controller. */
  readonly #lastMisses = new Map<number, string | undefined>();

  sent({ tNowNs, periodNs, latenessNs, standIn }: StartSignalSent<unknown, unknown>): void {
    const what = standIn
      ? 'had the states of an earlier period'
      : latenessNs > startGrace(periodNs)
        ? `was ${toMs(latenessNs).toFixed(1)} ms late`
        : undefined;
    this.#starts.set(tNowNs, what);
    forgetOldest(this.#starts, mostStarts);
  }

  /** @returns a clause for the message of this miss; empty where the start signal was in time. */
  missed({ tNowNs, misses }: Missed): string {
    const what = this.#starts.get(tNowNs);
    for (const { id } of misses) this.#lastMisses.set(id, what);
    return clause(what);
  }

  /** @returns the clause of the last miss of a controller. */
  lastMissOf(id: number): string {
    return clause(this.#lastMisses.get(id));
  }
}

function clause(what: string | undefined): string {
  return what === undefined
    ? ''
    : `; the start signal of this period ${what}, so the cause may be this machine: see --realtime-priority`;
}
