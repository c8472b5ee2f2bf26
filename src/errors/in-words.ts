/** A number with its noun, for a sentence: "1 miss", "2 misses". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/**
 * A duration in milliseconds, rounded up to 0.001: "12.5". A text that is no number stays as it is: the
 * page of errors gives the name of a duration instead.
 * @param ns 0 or more.
 */
export function inMs(ns: bigint): string {
  return String(ns).replace(/^\d+$/, (digits) =>
    String(Number((BigInt(digits) + 999n) / 1000n) / 1000),
  );
}

/** Ids with their noun, for a sentence: "vehicle 1", "vehicles 1, 2". */
export function namedIds(noun: string, ids: readonly number[]): string {
  return `${noun}${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;
}
