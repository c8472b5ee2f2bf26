import { HlcError } from '../../errors/index.js';
import { describeAssignment, describeName, type Assignment } from './assignment.js';
import { alternatives, runOption, type RunOptionKey } from '../options/run-options.js';

/** The assignment that holds, for each given option. */
export type GivenValues = ReadonlyMap<RunOptionKey, Assignment>;

/**
 * Decides which assignment of each option holds.
 * @param sources the assignments of each source, most binding source first.
 * @throws HlcError `HLC_CONFIG_CONFLICT` when one source gives an option twice with different values.
 */
export function mergeSources(sources: readonly (readonly Assignment[])[]): GivenValues {
  const merged = new Map<RunOptionKey, Assignment>();
  for (const source of sources) {
    // Options decided by a more binding source stay as they are, with their alternatives.
    const decided = new Set([...merged.keys()].flatMap(alternativesOf));
    for (const [key, assignment] of uniteRepetitions(source)) {
      if (!decided.has(key)) merged.set(key, assignment);
    }
  }
  return merged;
}

function alternativesOf(key: RunOptionKey): readonly RunOptionKey[] {
  return alternatives.find((group) => group.includes(key)) ?? [key];
}

function uniteRepetitions(source: readonly Assignment[]): GivenValues {
  const united = new Map<RunOptionKey, Assignment>();
  for (const assignment of source) {
    const { key, text } = assignment;
    const option = runOption(key);
    if (text === option.unset) continue;
    const earlier = united.get(key);
    if (earlier === undefined) {
      united.set(key, assignment);
    } else if (option.repeatable === true) {
      united.set(key, { ...earlier, text: `${earlier.text},${text}` });
    } else if (earlier.text !== text) {
      throw conflict(earlier, assignment);
    }
  }
  return united;
}

/** Two assignments of one source that cannot hold together. */
export function conflict(first: Assignment, second: Assignment): HlcError {
  const [one, other] =
    first.key === second.key
      ? [describeAssignment(first), describeAssignment(second)]
      : [describeName(first), describeName(second)];
  return new HlcError('HLC_CONFIG_CONFLICT', { first: one, second: other });
}
