/**
 * Encoder and decoder of one topic type: plain CDR (OMG DDS-XTypes 1.3, section 7.4.3: XCDR
 * version 1, final extensibility), with the 4-byte encapsulation header.
 */
export interface Codec<T> {
  /** Name of the type on the wire. */
  readonly typeName: string;
  /** True when the type has key fields, so that a topic of it has instances. */
  readonly keyed: boolean;
  /**
   * Decodes one sample of either byte order. Every length is checked against the bytes present
   * before anything is allocated for it.
   * @throws CdrError when the bytes are no sample of this type.
   */
  decode(bytes: Uint8Array): T;
  /**
   * Encodes one sample, little endian, into new memory.
   * @throws RangeError when a field does not fit its IDL type.
   */
  encode(value: T): Uint8Array;
  /**
   * As `encode`, but valid only until the next sample of any type is encoded.
   * @throws RangeError when a field does not fit its IDL type.
   */
  encodeShared(value: T): Uint8Array;
  /** A value with every field zero, empty or false. */
  zero(): T;
}

/** Bytes that are no CDR sample of the wanted type. */
export class CdrError extends Error {
  override readonly name = 'CdrError';
}
