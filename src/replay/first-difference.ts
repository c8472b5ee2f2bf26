/** A value of plain data at a path differs. */
type Plain = Readonly<Record<string, unknown>>;

/** Bytes and payloads of samples are compared elsewhere. */
const leftOut = new Set(['payload', 'bytes']);

/**
 * The first place at which two values of plain data differ, with both values; undefined when they do not.
 * @param path of the values.
 */
export function firstDifference(recorded: unknown, now: unknown, path = ''): string | undefined {
  if (Object.is(recorded, now)) return undefined;
  if (!isObject(recorded) || !isObject(now)) {
    return `${path === '' ? 'the value' : path}: recorded ${shown(recorded)}, now ${shown(now)}`;
  }
  const keys = new Set([...Object.keys(recorded), ...Object.keys(now)]);
  for (const key of keys) {
    if (leftOut.has(key)) continue;
    const place = path === '' ? key : `${path}.${key}`;
    const difference = firstDifference(recorded[key], now[key], place);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isObject(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null;
}

const longestShown = 80;

function shown(value: unknown): string {
  const text = isObject(value) ? 'a structure' : String(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
