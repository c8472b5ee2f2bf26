/** Edits (insert, delete, replace, swap of neighbours) that lead from one text to the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      if (swapped) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}

/** A name may be a third wrong, or two letters if it is short, and is still recognised. */
function isClose(distance: number, name: string): boolean {
  return distance <= Math.max(2, Math.floor(name.length / 3)) && distance < name.length;
}

const shortestPrefix = 3;

/** One is the start of the other (`sim`, `warning`), or the words of one are in the other. */
function isPart(given: string, name: string): boolean {
  return (
    `-${name}-`.includes(`-${given}-`) ||
    (Math.min(given.length, name.length) >= shortestPrefix &&
      (name.startsWith(given) || given.startsWith(name)))
  );
}

/**
 * The right name that was probably meant: the first that has the given words at its start
 * (`period` → `period-ms`), else the one with the fewest typing errors, else the first of which a
 * part is given. Capitals do not count, and `_` is the same as `-`.
 * @param given at most its first 64 characters count.
 */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const wanted = given.slice(0, 64).toLowerCase().replaceAll('_', '-');
  const opening = names.find((name) => wanted !== '' && name.startsWith(`${wanted}-`));
  if (opening !== undefined) return opening;

  let nearest: string | undefined;
  let fewest = Infinity;
  for (const name of names) {
    const distance = editDistance(wanted, name);
    if (distance < fewest && isClose(distance, name)) {
      nearest = name;
      fewest = distance;
    }
  }
  return nearest ?? names.find((name) => isPart(wanted, name));
}
