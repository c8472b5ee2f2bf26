import type { StartNote, Transcript } from './transcript.js';
import { viewOf } from './view.js';

/** What of a phase can be judged, since the machine was not too busy in it. */
export interface Judgeable {
  /** Ordinary start signals; after strange lists only those since the last of them. */
  readonly usual: number;
  /** The kinds of start signals out of the ordinary of which none can be judged. */
  readonly lacking: ReadonlySet<StartNote>;
}

/** What can be judged of the phase of the last start signal. */
export function judgeableIn(transcript: Transcript): Judgeable {
  const { periods } = viewOf(transcript);
  const last = periods.at(-1);
  const own = periods.filter(({ phase }) => phase === last?.phase);
  const judged = own.filter(({ disturbed }) => !disturbed);
  const since = own.findLastIndex(({ note }) => note === 'strange') + 1;
  const special = own
    .map(({ note }) => note)
    .filter((note) => note !== 'normal' && note !== 'held');
  return {
    usual: own.slice(since).filter(({ note, disturbed }) => note === 'normal' && !disturbed).length,
    lacking: new Set(special.filter((note) => !judged.some((one) => one.note === note))),
  };
}
