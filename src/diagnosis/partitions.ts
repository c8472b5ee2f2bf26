/**
 * Whether two lists of partitions have one in common (OMG DDS 1.4, section 2.2.3.13). No name at
 * all stands for the partition without a name. A name may be a pattern with `*` and `?`, as Cyclone
 * DDS 0.10 has it; a pattern meets names, never another pattern.
 */
export function partitionsMeet(a: readonly string[], b: readonly string[]): boolean {
  return orUnnamed(a).some((one) => orUnnamed(b).some((other) => meet(one, other)));
}

function orUnnamed(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [''] : names;
}

function meet(one: string, other: string): boolean {
  if (isPattern(one)) return !isPattern(other) && matches(one, other);
  return isPattern(other) ? matches(other, one) : one === other;
}

function isPattern(name: string): boolean {
  return /[*?]/.test(name);
}

/** Looks at each pair of rests once, however many stars there are. */
function matches(pattern: string, name: string): boolean {
  // Whether the pattern up to here matches the first n characters.
  let reached = Array.from({ length: name.length + 1 }, (_, n) => n === 0);
  for (const part of pattern) {
    const next = reached.map(() => false);
    reached.forEach((holds, n) => {
      if (part === '*') next[n] = holds || (n > 0 && next[n - 1] === true);
      else if (holds && n < name.length && (part === '?' || part === name[n])) next[n + 1] = true;
    });
    reached = next;
  }
  return reached.at(-1) === true;
}
