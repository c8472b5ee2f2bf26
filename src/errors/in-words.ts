/** A number with its noun, for a sentence: "1 miss", "2 misses". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Ids with their noun, for a sentence: "vehicle 1", "vehicles 1, 2". */
export function namedIds(noun: string, ids: readonly number[]): string {
  return `${noun}${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;
}
