import { CdrError } from './codec.js';

/** Octets of the encapsulation header (OMG DDSI-RTPS 2.5, section 10.2). */
const headerSize = 4;

/** The most padding that a writer appends to make a payload a multiple of 4 octets. */
const maxTrailingPadding = 3;

// A byte order mark is part of the string that carries it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the values of one sample in order: plain CDR version 1 (OMG DDS-XTypes 1.3, section
 * 7.4.1), either byte order. A value is aligned to its own size, counted from the octet after the
 * encapsulation header. No method reads past the sample, and none allocates more than the sample
 * can fill.
 */
export class CdrReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #littleEndian: boolean;
  /** Where the payload ends, without the padding that the header declares. */
  readonly #end: number;
  #position = 0;

  /**
   * @param bytes one sample with its encapsulation header; read as long as this reader is used.
   * @throws CdrError when the header is missing or names another encoding.
   */
  constructor(bytes: Uint8Array) {
    if (bytes.length < headerSize) {
      throw new CdrError(
        `${bytes.length} octets are too few for an encapsulation header of ${headerSize}.`,
      );
    }
    if (bytes[0] !== 0 || (bytes[1] !== 0 && bytes[1] !== 1)) {
      throw new CdrError(
        `The encapsulation 0x${hex(bytes[0])}${hex(bytes[1])} is not plain CDR (0x0000 or 0x0001).`,
      );
    }
    this.#littleEndian = bytes[1] === 1;
    // The two lowest bits of the options count the octets of padding at the end; the other bits
    // are to be ignored (OMG DDS-XTypes 1.3, section 7.6.3.1.2).
    const padding = (bytes[3] ?? 0) & 3;
    const size = bytes.length - headerSize;
    if (padding > size) {
      throw new CdrError(
        `The header announces ${padding} octets of padding, but only ${size} follow.`,
      );
    }
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset + headerSize, size);
    this.#end = size - padding;
  }

  /** An IDL `boolean`. @throws CdrError when the octet is neither 0 nor 1. */
  boolean(): boolean {
    const value = this.#view.getUint8(this.#take(1));
    if (value > 1) {
      throw new CdrError(`A boolean must be 0 or 1, but octet ${this.#position - 1} is ${value}.`);
    }
    return value === 1;
  }

  /** An IDL `octet` or `uint8`. */
  uint8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  /** An IDL `int8`. */
  int8(): number {
    return this.#view.getInt8(this.#take(1));
  }

  /** An IDL `unsigned short`. */
  uint16(): number {
    return this.#view.getUint16(this.#take(2), this.#littleEndian);
  }

  /** An IDL `short`. */
  int16(): number {
    return this.#view.getInt16(this.#take(2), this.#littleEndian);
  }

  /** An IDL `unsigned long`. */
  uint32(): number {
    return this.#view.getUint32(this.#take(4), this.#littleEndian);
  }

  /** An IDL `long`. */
  int32(): number {
    return this.#view.getInt32(this.#take(4), this.#littleEndian);
  }

  /** An IDL `unsigned long long`. */
  uint64(): bigint {
    return this.#view.getBigUint64(this.#take(8), this.#littleEndian);
  }

  /** An IDL `long long`. */
  int64(): bigint {
    return this.#view.getBigInt64(this.#take(8), this.#littleEndian);
  }

  /** An IDL `float`. */
  float32(): number {
    return this.#view.getFloat32(this.#take(4), this.#littleEndian);
  }

  /** An IDL `double`. */
  float64(): number {
    return this.#view.getFloat64(this.#take(8), this.#littleEndian);
  }

  /**
   * An IDL enumeration whose values are 0 to `highest`.
   * @throws CdrError when the value is above that.
   */
  enumeration(highest: number): number {
    const value = this.uint32();
    if (value > highest) {
      throw new CdrError(`An enumeration has values up to ${highest}, but ${value} came.`);
    }
    return value;
  }

  /**
   * An IDL `string`: its length with the NUL that ends it, then its octets.
   * @throws CdrError when it does not end within the sample, does not end with a NUL, has another
   *   NUL inside, or is no UTF-8.
   */
  string(): string {
    const length = this.uint32();
    const start = this.#position;
    if (length === 0 || length > this.#end - start) {
      throw new CdrError(`A string of ${length} octets does not fit into ${this.#end - start}.`);
    }
    this.#position = start + length;
    const from = headerSize + start;
    const text = this.#bytes.subarray(from, from + length);
    if (text.indexOf(0) !== length - 1) {
      throw new CdrError('A string must have exactly one NUL, at its end.');
    }
    try {
      return utf8.decode(text.subarray(0, length - 1));
    } catch (cause) {
      throw new CdrError('A string is not valid UTF-8.', { cause });
    }
  }

  /**
   * The number of elements of an IDL `sequence`.
   * @param minElementSize the fewest octets that one element takes; at least 1.
   * @param bound the most elements that the type allows.
   * @throws CdrError when so many elements cannot follow, or the type does not allow them.
   */
  sequenceLength(minElementSize: number, bound = Infinity): number {
    const count = this.uint32();
    if (count > bound) {
      throw new CdrError(`A sequence has ${count} elements, and at most ${bound} are allowed.`);
    }
    const left = this.#end - this.#position;
    if (count * minElementSize > left) {
      throw new CdrError(`A sequence of ${count} elements does not fit into ${left} octets.`);
    }
    return count;
  }

  /** An IDL `sequence<octet>`, copied. @throws CdrError when it does not end within the sample. */
  octets(bound?: number): Uint8Array {
    const count = this.sequenceLength(1, bound);
    const from = headerSize + this.#take(count, 1);
    // Not slice, which shares the memory when the sample is a Buffer.
    return new Uint8Array(this.#bytes.subarray(from, from + count));
  }

  /**
   * Ends the reading: all values have been read.
   * @throws CdrError when more follows than the padding that rounds a payload up to 4 octets.
   */
  end(): void {
    const left = this.#view.byteLength - this.#position;
    if (left > maxTrailingPadding) {
      throw new CdrError(`${left} octets follow the last value of the sample.`);
    }
  }

  /** Steps over `size` octets aligned to `alignment`, a power of two, and returns their start. */
  #take(size: number, alignment = size): number {
    const start = this.#position + (-this.#position & (alignment - 1));
    if (start + size > this.#end) {
      throw new CdrError(
        `The sample ends after ${this.#end} octets, but a value takes octets ${start} to ${start + size - 1}.`,
      );
    }
    this.#position = start + size;
    return start;
  }
}

function hex(octet: number | undefined): string {
  return (octet ?? 0).toString(16).padStart(2, '0');
}
