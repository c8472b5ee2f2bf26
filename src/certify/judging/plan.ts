import type { StartNote } from './transcript.js';

/** What the lists of a start signal hold. */
export type ListKind =
  /** The own vehicles and one of another controller. */
  | 'usual'
  /** Nothing: no vehicle has sent a state yet. */
  | 'empty'
  /** Only vehicles of others; the own ones are active and have no state. */
  | 'ownAbsent'
  /** The usual, and entries of zeros for absent vehicles (CPM Lab middleware). */
  | 'zeros'
  /** The usual, and vehicles that are in no list of active ids. */
  | 'strangers'
  /** Very many vehicles. */
  | 'many';

/** One start signal of real time, or several at once. */
export interface Beat {
  readonly note: Exclude<StartNote, 'held' | 'hold'>;
  /** Periods from the start signal before to this one; more than 1 leaves periods out. */
  readonly periods: number;
  /** How late it is sent, as a part of the period, 0 to 0.5. */
  readonly latePart: number;
  /** Older start signals, one for each period before, that are sent just before it. */
  readonly held: number;
  readonly list: ListKind;
}

/** One step of simulated time. */
export interface Step {
  /** How long the next step is held back after the replies, ns. */
  readonly holdNs: bigint;
}

/** Gives the next random number from 0 (included) to 1 (not included). */
export type Random = () => number;

/** A start signal as in most periods. */
export const usualBeat: Beat = { note: 'normal', periods: 1, latePart: 0, held: 0, list: 'usual' };
const strangeLists: readonly ListKind[] = ['empty', 'ownAbsent', 'zeros', 'strangers', 'many'];
const holdNs = 400_000_000n;

/** Start signals sent at once beside the newest. */
const heldCount = 9;
/** Periods in which a controller may digest them. */
const digestPeriods = 5;

function usually(count: number): Beat[] {
  return Array.from({ length: count }, () => usualBeat);
}

/** Start signals in every period. */
export function steadyBeats(): Beat[] {
  return usually(40);
}

/** A few more, to see that it takes part. */
export function fewBeats(): Beat[] {
  return usually(8);
}

/** Lists that a controller rarely sees, each twice, then usual ones. */
export function strangeBeats(random: Random): Beat[] {
  return [
    ...usually(2),
    ...shuffled([...strangeLists, ...strangeLists], random).map((list): Beat => ({
      ...usualBeat,
      note: 'strange',
      list,
    })),
    ...usually(6),
  ];
}

/** Late start signals, left-out periods and several start signals at once, in any order. */
export function timingBeats(random: Random): Beat[] {
  const late = (): Beat[] => [
    { ...usualBeat, note: 'late', latePart: 0.2 + 0.25 * random() },
    { ...usualBeat, periods: 3 },
  ];
  const gap = (): Beat[] => [
    { ...usualBeat, note: 'afterGap', periods: 5 + Math.floor(3 * random()) },
  ];
  const burst = (): Beat[] => [
    { ...usualBeat, note: 'newest', periods: heldCount + 1, held: heldCount },
    { ...usualBeat, periods: digestPeriods },
  ];
  const parts = shuffled([late, late, gap, gap, gap, burst, burst], random);
  return [...usually(2), ...parts.flatMap((part) => [...part(), ...usually(2)])];
}

/** Steps of simulated time; some are held back, so that a controller that does not wait shows. */
export function simulatedSteps(): Step[] {
  const quick = (count: number): Step[] => Array.from({ length: count }, () => ({ holdNs: 0n }));
  return [...quick(10), { holdNs }, ...quick(5), { holdNs }, ...quick(5), { holdNs }];
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
