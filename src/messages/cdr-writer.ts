/** Plain CDR, little endian (OMG DDSI-RTPS 2.5, section 10.2), no options. */
const header = [0, 1, 0, 0] as const;

/** Octets of buffer that a writer starts with; a list of 20 vehicles takes about 4000. */
const initialCapacity = 8 * 1024;

/** `finish` does not keep a buffer that grew beyond this many octets. */
const retainedCapacity = 1024 * 1024;

const utf8 = new TextEncoder();
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Writes the values of one sample in order: plain CDR version 1 (OMG DDS-XTypes 1.3, section
 * 7.4.1), little endian. Padding is always zero. One writer serves any number of samples, one
 * after the other: `begin`, the values, `finish`.
 *
 * Every method that writes a value takes the name of its field, for the RangeError that it throws
 * when the value does not fit the IDL type.
 */
export class CdrWriter {
  #bytes = new Uint8Array(initialCapacity);
  #view = new DataView(this.#bytes.buffer);
  #position = 0;

  /** Octets written so far, the header among them. */
  get position(): number {
    return this.#position;
  }

  /** Steps on to a position; what lies between stays as an earlier sample wrote it. */
  stepTo(position: number): void {
    this.#position = position;
  }

  /** Starts a new sample; what an unfinished one had written is dropped. */
  begin(): this {
    this.#bytes.set(header);
    this.#position = header.length;
    return this;
  }

  /** Ends the sample and returns it in new memory. */
  finish(): Uint8Array {
    const sample = this.#bytes.slice(0, this.#position);
    if (this.#bytes.length > retainedCapacity) {
      this.#bytes = new Uint8Array(initialCapacity);
      this.#view = new DataView(this.#bytes.buffer);
    }
    return sample;
  }

  /** Ends the sample and returns it in the memory of this writer, which the next sample takes. */
  finishShared(): Uint8Array {
    return this.#bytes.subarray(0, this.#position);
  }

  /** An IDL `boolean`. */
  boolean(value: boolean, field: string): void {
    if (typeof value !== 'boolean') refuse(value, field, 'true or false');
    const at = this.#reserve(1);
    this.#view.setUint8(at, value ? 1 : 0);
  }

  /** An IDL `octet` or `uint8`. */
  uint8(value: number, field: string): void {
    if (!isNumber(value) || (value & 0xff) !== value) {
      refuse(value, field, 'an integer from 0 to 255');
    }
    const at = this.#reserve(1);
    this.#view.setUint8(at, value);
  }

  /** An IDL `int8`. */
  int8(value: number, field: string): void {
    if (!isNumber(value) || (value << 24) >> 24 !== value) {
      refuse(value, field, 'an integer from -128 to 127');
    }
    const at = this.#reserve(1);
    this.#view.setInt8(at, value);
  }

  /** An IDL `unsigned short`. */
  uint16(value: number, field: string): void {
    if (!isNumber(value) || (value & 0xffff) !== value) {
      refuse(value, field, 'an integer from 0 to 65535');
    }
    const at = this.#reserve(2);
    this.#view.setUint16(at, value, true);
  }

  /** An IDL `short`. */
  int16(value: number, field: string): void {
    if (!isNumber(value) || (value << 16) >> 16 !== value) {
      refuse(value, field, 'an integer from -32768 to 32767');
    }
    const at = this.#reserve(2);
    this.#view.setInt16(at, value, true);
  }

  /** An IDL `unsigned long`. */
  uint32(value: number, field: string): void {
    if (!isNumber(value) || value >>> 0 !== value) {
      refuse(value, field, 'an integer from 0 to 4294967295');
    }
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
  }

  /** An IDL `long`. */
  int32(value: number, field: string): void {
    if (!isNumber(value) || (value | 0) !== value) {
      refuse(value, field, 'an integer from -2147483648 to 2147483647');
    }
    const at = this.#reserve(4);
    this.#view.setInt32(at, value, true);
  }

  /** An IDL `unsigned long long`. */
  uint64(value: bigint, field: string): void {
    if (typeof value !== 'bigint' || BigInt.asUintN(64, value) !== value) {
      refuse(value, field, 'a bigint from 0 to 2^64 - 1');
    }
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, value, true);
  }

  /** An IDL `long long`. */
  int64(value: bigint, field: string): void {
    if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) {
      refuse(value, field, 'a bigint from -2^63 to 2^63 - 1');
    }
    const at = this.#reserve(8);
    this.#view.setBigInt64(at, value, true);
  }

  /** An IDL `float`; a number between two floats is rounded to the nearest. */
  float32(value: number, field: string): void {
    if (!isNumber(value)) refuse(value, field, 'a number');
    const at = this.#reserve(4);
    this.#view.setFloat32(at, value, true);
  }

  /** An IDL `double`. */
  float64(value: number, field: string): void {
    if (!isNumber(value)) refuse(value, field, 'a number');
    const at = this.#reserve(8);
    this.#view.setFloat64(at, value, true);
  }

  /** An IDL enumeration whose values are 0 to `highest`. */
  enumeration(value: number, highest: number, field: string): void {
    if (!isNumber(value) || value >>> 0 !== value || value > highest) {
      refuse(value, field, `an integer from 0 to ${highest}`);
    }
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
  }

  /** An IDL `string`, as UTF-8. A NUL or half a surrogate pair cannot be sent. */
  string(value: string, field: string): void {
    if (typeof value !== 'string') refuse(value, field, 'a string');
    if (value.includes('\0')) refuse(value, field, 'a string without NUL');
    if (loneSurrogate.test(value)) refuse(value, field, 'a string of whole characters');
    // A UTF-16 unit takes at most 3 octets of UTF-8.
    const lengthAt = this.#reserve(4);
    this.#grow(3 * value.length + 1);
    const text = this.#bytes.subarray(this.#position);
    const { written } = utf8.encodeInto(value, text);
    text[written] = 0;
    this.#view.setUint32(lengthAt, written + 1, true);
    this.#position += written + 1;
  }

  /** The number of elements of an IDL `sequence`; the elements follow. */
  sequenceLength(elements: readonly unknown[], field: string, bound = Infinity): void {
    if (!Array.isArray(elements)) refuse(elements, field, 'an array');
    if (elements.length > bound) refuse(elements.length, field, `at most ${bound} elements`);
    const at = this.#reserve(4);
    this.#view.setUint32(at, elements.length, true);
  }

  /** An IDL `sequence<octet>`. */
  octets(value: Uint8Array, field: string, bound = Infinity): void {
    if (!(value instanceof Uint8Array)) refuse(value, field, 'a Uint8Array');
    if (value.length > bound) refuse(value.length, field, `at most ${bound} octets`);
    const at = this.#reserve(4);
    this.#view.setUint32(at, value.length, true);
    this.#grow(value.length);
    this.#bytes.set(value, this.#position);
    this.#position += value.length;
  }

  /** Octets that are encoded already, at the next multiple of `alignment`, a power of two. */
  alignedOctets(value: Uint8Array, alignment: number): void {
    this.#grow(alignment + value.length);
    this.#align(alignment);
    this.#bytes.set(value, this.#position);
    this.#position += value.length;
  }

  /**
   * Makes room for a primitive of `size` octets, aligned to its size; returns its start. The view
   * may be another one afterwards.
   */
  #reserve(size: number): number {
    this.#grow(2 * size);
    this.#align(size);
    const start = this.#position;
    this.#position = start + size;
    return start;
  }

  /** Steps to a multiple of `alignment`, for which there is room. */
  #align(alignment: number): void {
    // The alignment counts from the end of the header, which itself has 4 octets.
    const padding = (header.length - this.#position) & (alignment - 1);
    if (padding === 0) return;
    this.#bytes.fill(0, this.#position, this.#position + padding);
    this.#position += padding;
  }

  /** Makes sure that `size` more octets fit into the buffer. */
  #grow(size: number): void {
    const needed = this.#position + size;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/**
 * The writer of all generated codecs. Encoding is synchronous, so one at a time is in use.
 * @public
 */
export const sharedWriter = new CdrWriter();

/** Bit operators throw on a bigint, and turn a string into a number. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function refuse(value: unknown, field: string, wanted: string): never {
  const short = isNumber(value) || typeof value === 'bigint' || typeof value === 'boolean';
  throw new RangeError(
    `${field} must be ${wanted}, but is ${short ? String(value) : typeof value}.`,
  );
}
