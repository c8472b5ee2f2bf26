import type { CdrWriter } from './cdr-writer.js';
import type { Codec } from './codec.js';

/** Octets of the encapsulation header (OMG DDSI-RTPS 2.5, section 10.2). */
const headerSize = 4;

/** The largest alignment of a type (OMG DDS-XTypes 1.3, section 7.4.1). */
const largestAlignment = 8;

const littleEndian = 1;

/**
 * A value kept as the CDR that it came in, for a list that it becomes part of. That works for types
 * that begin with `octet vehicle_id`, have a member that is aligned to 8 next, and have none of
 * variable length: what follows the id then looks the same wherever the value stands.
 */
export interface NestedSample {
  readonly vehicleId: number;
  /** All members after the id, little endian, for a place that is a multiple of 8. */
  readonly body: Uint8Array;
}

/**
 * Keeps samples of a type that can be kept so.
 * @returns from a decoded message, and the bytes that it was decoded from, which are copied.
 */
export function nestedSamples<T>(codec: Codec<T>): (message: T, bytes: Uint8Array) => NestedSample {
  // Without the padding that others may put at the end of theirs.
  const size = codec.encode(codec.zero()).length;
  return (message, bytes) => {
    const sample = bytes[1] === littleEndian ? bytes : codec.encode(message);
    const body = sample.subarray(headerSize + largestAlignment, size);
    // A copy: `Buffer.from` puts short ones into memory that they share, which is cheaper than memory of their own.
    return { vehicleId: sample[headerSize] ?? 0, body: Buffer.from(body) };
  };
}

/**
 * Writes an IDL `sequence` of such values in each sample of one writer, which writes no others.
 * Values that have not changed since the sample before are left where they are.
 */
export class NestedSampleList {
  #start = 0;
  #written: readonly NestedSample[] = [];
  /** Position after each of them. */
  readonly #ends: number[] = [];

  write(w: CdrWriter, samples: readonly NestedSample[]): void {
    w.sequenceLength(samples, 'samples');
    const unchanged = w.position === this.#start ? this.#written : [];
    this.#start = w.position;
    this.#written = samples;
    samples.forEach((sample, i) => {
      const end = this.#ends[i];
      if (end !== undefined && sample === unchanged[i]) {
        w.stepTo(end);
        return;
      }
      w.uint8(sample.vehicleId, 'vehicle_id');
      w.alignedOctets(sample.body, largestAlignment);
      this.#ends[i] = w.position;
    });
  }
}
