const tagged = /^(u64|f64|str):(.*)$/s;
const special: Record<string, number> = { nan: NaN, inf: Infinity, '-inf': -Infinity };

/**
 * The value behind the JSON of the peer's dump, with the types that TypeScript has for the message:
 * `"u64:<decimal>"` is a bigint, `"f64:<nan|inf|-inf>"` a number, `"str:<octets in hex>"` a string.
 */
export function parseDump(json: string): unknown {
  return JSON.parse(json, (_key, value: unknown) => {
    if (typeof value !== 'string') return value;
    const [, tag, rest = ''] = tagged.exec(value) ?? [];
    switch (tag) {
      case 'u64':
        return BigInt(rest);
      case 'f64':
        return special[rest];
      case 'str':
        return Buffer.from(rest, 'hex').toString('utf8');
      default:
        throw new Error(`The peer's dump has an unknown value "${value}".`);
    }
  });
}
