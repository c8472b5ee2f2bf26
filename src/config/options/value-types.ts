import { z } from 'zod';
import { nsPerMs, toMs } from '../../core/index.js';

/**
 * How one kind of value is written and checked. The schema takes the text as it stands on the
 * command line, in the environment or in the file, so all three obey the same rules.
 */
export interface ValueType<T> {
  readonly schema: z.ZodType<T, string>;
  /** What stands for the value in the help, for example `<ms>`. */
  readonly placeholder: string;
  /** Completes the sentence "it must be …". */
  readonly rule: string;
  /** The rule in a few words for the help; absent when the placeholder says enough. */
  readonly range?: string;
  /** The words that are accepted, when there are only a few. */
  readonly words?: readonly string[];
  /** True when the flag may stand alone, without a value. */
  readonly mayStandAlone?: boolean;
}

const msDecimals = 6;

/** Bounds for the help. An upper bound that only guards against overflow is left out. */
function rangeOf(min: number, max: number): string {
  return max >= Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
}

/** A whole number within bounds, both included. */
export function wholeNumber(
  min: number,
  max: number,
  options: { readonly placeholder?: string; readonly note?: string } = {},
): ValueType<number> {
  return {
    schema: z
      .string()
      .regex(/^\d{1,16}$/)
      .transform(Number)
      .pipe(z.int().min(min).max(max)),
    placeholder: options.placeholder ?? '<n>',
    rule: `a whole number from ${min} to ${max}${options.note === undefined ? '' : ` (${options.note})`}`,
    range: rangeOf(min, max),
  };
}

/** A decimal number within bounds, both included, without exponent. */
export function decimalNumber(min: number, max: number): ValueType<number> {
  return {
    schema: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,9})?$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
    placeholder: '<number>',
    rule: `a number from ${min} to ${max}`,
    range: rangeOf(min, max),
  };
}

const leastMetres = 0.001;

/** A length in metres, above 0. */
export function metres(max = 100): ValueType<number> {
  return {
    schema: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,6})?$/)
      .transform(Number)
      .pipe(z.number().min(leastMetres).max(max)),
    placeholder: '<m>',
    rule: `a number of metres from ${leastMetres} to ${max}`,
    range: rangeOf(leastMetres, max),
  };
}

/** An IPv4 address in dotted notation. */
export function ipv4Address(): ValueType<string> {
  return {
    schema: z.ipv4(),
    placeholder: '<address>',
    rule: 'an IPv4 address, for example 127.0.0.1',
  };
}

/** A duration or time that is written in nanoseconds, without decimals. Bounds in ns, included. */
export function nanoseconds(minNs: bigint, maxNs: bigint): ValueType<bigint> {
  return {
    schema: z
      .string()
      .regex(/^\d{1,19}$/)
      .transform(BigInt)
      .pipe(z.bigint().min(minNs).max(maxNs))
      .meta({
        type: 'integer',
        minimum: Number(minNs),
        ...(maxNs > BigInt(Number.MAX_SAFE_INTEGER) ? {} : { maximum: Number(maxNs) }),
      }),
    placeholder: '<ns>',
    rule: `a whole number of nanoseconds from ${minNs.toString()} to ${maxNs.toString()}`,
    range: rangeOf(Number(minNs), Number(maxNs)),
  };
}

/** A duration that is written in milliseconds, as exact nanoseconds. Bounds in ns, included. */
export function milliseconds(minNs: bigint, maxNs: bigint): ValueType<bigint> {
  return {
    schema: z
      .string()
      .regex(/^\d{1,15}(\.\d{1,6})?$/)
      .transform((text) => {
        const [whole = '', decimals = ''] = text.split('.');
        return BigInt(whole) * nsPerMs + BigInt(decimals.padEnd(msDecimals, '0'));
      })
      .pipe(z.bigint().min(minNs).max(maxNs))
      .meta({ type: 'number', minimum: toMs(minNs), maximum: toMs(maxNs) }),
    placeholder: '<ms>',
    rule: `a number of milliseconds from ${toMs(minNs)} to ${toMs(maxNs)} with at most ${msDecimals} decimals`,
    range: rangeOf(toMs(minNs), toMs(maxNs)),
  };
}

const trueWords = ['true', 'True', 'T', '1'];
const falseWords = ['false', 'False', 'F', '0'];

/**
 * True or false. The words for true are those of the CPM Lab middleware. It took every other text
 * for false; here only the counterparts of these words are false, and the rest is refused.
 */
export function trueOrFalse(): ValueType<boolean> {
  return {
    schema: z
      .enum([...trueWords, ...falseWords])
      .transform((word) => trueWords.includes(word))
      .pipe(z.boolean()),
    placeholder: '[true|false]',
    rule: 'true or false (also True, T, 1, False, F, 0)',
    words: ['true', 'false'],
    mayStandAlone: true,
  };
}

/** One of a few words. */
export function oneOf<const W extends readonly [string, string, ...string[]]>(
  words: W,
  placeholder = '<word>',
): ValueType<W[number]> {
  return {
    schema: z.enum<W[number][]>([...words]),
    placeholder,
    rule: `one of ${words.join(', ')}`,
    range: words.join(', '),
    words,
  };
}

/** What follows when the middleware itself is late: `skip`, `catch-up:N` or `halt`. */
export function overrunPolicy(): ValueType<string> {
  return {
    schema: z.string().regex(/^(skip|halt|catch-up:[1-9]\d{0,3})$/),
    placeholder: '<policy>',
    rule: 'skip, halt, or catch-up:N with N from 1 to 9999',
    range: 'skip, catch-up:N, halt',
    words: ['skip', 'halt', 'catch-up:1'],
  };
}

/** Discovery peers: no blanks, no quotes and no angle brackets, since they travel in XML. */
export function peerList(): ValueType<string[]> {
  return {
    schema: z
      .string()
      .max(4096)
      .transform((text) => text.split(',').map((peer) => peer.trim()))
      .pipe(z.array(z.string().regex(/^[^\s\p{Cc}\p{Cs}<>&"']+$/u)).min(1)),
    placeholder: '<peers>',
    rule: 'a list of peers with commas between them, each HOST, HOST:PORT, N@HOST or rtps@udpv4://HOST:PORT',
    range: 'for example rtps@udpv4://192.168.1.20:7400',
  };
}

/** A network interface: its name or one of its addresses. */
export function interfaceName(): ValueType<string> {
  return {
    schema: z.string().regex(/^[A-Za-z0-9_.:@%-]{1,64}$/),
    placeholder: '<name>',
    rule: 'the name or the address of a network interface, for example lo, eth0 or 192.168.1.5',
    range: 'for example eth0 or 192.168.1.5',
  };
}

/** Text that travels as a string of the wire contract (at most 255 bytes, no NUL). */
export function wireName(): ValueType<string> {
  return {
    schema: z
      .string()
      .regex(/^[^\p{Cc}\p{Cs}]+$/u)
      .refine((text) => new TextEncoder().encode(text).length <= 255),
    placeholder: '<name>',
    rule: 'a text of 1 to 255 bytes (UTF-8) without control characters',
  };
}

/** The path of a file. */
export function filePath(): ValueType<string> {
  return {
    schema: z.string().regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,4096}$/u),
    placeholder: '<file>',
    rule: 'the path of a file, without control characters',
  };
}

/** Bytes of the longest path that a local socket can have (Linux, unix(7): 108 with the NUL). */
export const longestSocketPath = 107;

/** The path of a local socket, or one of the words `auto` and `off`. */
export function socketPath(): ValueType<string> {
  return {
    schema: z
      .string()
      .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u)
      .refine((text) => new TextEncoder().encode(text).length <= longestSocketPath),
    placeholder: '<path>',
    rule: `auto, off, or the path of a socket, of at most ${longestSocketPath} bytes and without control characters`,
    range: 'auto, off or a path',
  };
}
