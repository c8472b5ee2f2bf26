import type { ByteReader } from './byte-reader.js';
import { TapFormatError } from './byte-reader.js';
import type { ByteWriter } from './byte-writer.js';
import { fromPlainText, toPlainText } from './plain-text.js';

/** How a value stands in a frame: the only source of the encoder, the decoder and the documentation. */
export interface Field<T> {
  write(w: ByteWriter, value: T): void;
  /** @throws TapFormatError when the bytes are no such value. */
  read(r: ByteReader): T;
  /** For the documentation. */
  readonly layout: string;
}

/** 0 to 255. */
export const uint8: Field<number> = {
  write: (w, value) => w.uint8(value),
  read: (r) => r.uint8(),
  layout: 'u8',
};

/** 0 to 2^32 - 1. */
export const uint32: Field<number> = {
  write: (w, value) => w.uint32(value),
  read: (r) => r.uint32(),
  layout: 'u32',
};

/** 64 bits with a sign: durations, and instants of the monotonic clock, ns. */
export const int64: Field<bigint> = {
  write: (w, value) => w.int64(value),
  read: (r) => r.int64(),
  layout: 'i64',
};

/** 64 bits without a sign: times since 1970 or of simulated time, ns. */
export const uint64: Field<bigint> = {
  write: (w, value) => w.int64(value),
  read: (r) => r.uint64(),
  layout: 'u64',
};

/** IEEE 754, 64 bits. */
export const float64: Field<number> = {
  write: (w, value) => w.float64(value),
  read: (r) => r.float64(),
  layout: 'f64',
};

export const boolean: Field<boolean> = {
  write: (w, value) => w.uint8(value ? 1 : 0),
  read(r) {
    const value = r.uint8();
    if (value > 1) throw new TapFormatError(`a boolean is ${value}`);
    return value === 1;
  },
  layout: 'bool',
};

/** UTF-8 after its length. */
export const text: Field<string> = {
  write(w, value) {
    const at = w.length;
    w.uint32(0);
    w.setUint32(at, w.text(value));
  },
  read: (r) => r.text(r.uint32()),
  layout: 'text',
};

/** Bytes after their number. What is read is a view. */
export const bytes: Field<Uint8Array> = {
  write(w, value) {
    w.uint32(value.length);
    w.bytes(value);
  },
  read: (r) => r.bytes(r.uint32()),
  layout: 'bytes',
};

/** One of these names, as its place in the list. */
export function name<const T extends string>(names: readonly T[]): Field<T> {
  const numbers = new Map<string, number>(names.map((each, i) => [each, i]));
  return {
    write: (w, value) => w.uint8(numbers.get(value) ?? unknownName(value)),
    read(r) {
      const number = r.uint8();
      const found = names[number];
      if (found === undefined) throw new TapFormatError(`no name has the number ${number}`);
      return found;
    },
    layout: `u8: ${names.map((each, i) => `${i} ${each}`).join(', ')}`,
  };
}

function unknownName(value: string): never {
  throw new RangeError(`the tap has no number for "${value}"`);
}

/** A flag, and the value when it is set. */
export function nullable<T>(field: Field<T>): Field<T | null> {
  return {
    write(w, value) {
      w.uint8(value === null ? 0 : 1);
      if (value !== null) field.write(w, value);
    },
    read: (r) => (boolean.read(r) ? field.read(r) : null),
    layout: `bool, and if true ${field.layout}`,
  };
}

/** Values after their number. */
export function list<T>(field: Field<T>): Field<readonly T[]> {
  return {
    write(w, values) {
      w.uint32(values.length);
      for (const value of values) field.write(w, value);
    },
    read(r) {
      const count = r.uint32();
      // Every value has one byte at least.
      if (count > r.left) throw new TapFormatError(`a list of ${count} values does not fit`);
      return Array.from({ length: count }, () => field.read(r));
    },
    layout: `list of (${field.layout})`,
  };
}

/** Members in this order. */
export function record<T extends object>(members: {
  readonly [K in keyof T]-?: Field<T[K]>;
}): Field<T> {
  const entries = Object.entries(members) as [keyof T & string, Field<T[keyof T]>][];
  return {
    write(w, value) {
      for (const [key, field] of entries) field.write(w, value[key]);
    },
    read(r) {
      const value: Record<string, unknown> = {};
      for (const [key, field] of entries) value[key] = field.read(r);
      return value as T;
    },
    layout: entries.map(([key, { layout }]) => `\`${key}\` ${layout}`).join('; '),
  };
}

/** A value as JSON in UTF-8, see `toPlainText`. */
export function json<T>(parse: (value: unknown) => T): Field<T> {
  return {
    write: (w, value) => text.write(w, toPlainText(value)),
    read: (r) => parse(fromPlainText(text.read(r))),
    layout: 'JSON text',
  };
}
