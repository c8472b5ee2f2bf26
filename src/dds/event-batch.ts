/** Kinds of events, numbered as in src/dds/native/event-record.h. */
export const EventKind = {
  sample: 0,
  tick: 1,
  subscriptionMatched: 2,
  publicationMatched: 3,
  requestedIncompatibleQos: 4,
  offeredIncompatibleQos: 5,
  sampleLost: 6,
  sampleRejected: 7,
  oversize: 8,
  log: 9,
  slotSent: 10,
  writeFailed: 11,
  sentByHang: 12,
} as const;

export type EventKind = (typeof EventKind)[keyof typeof EventKind];

const offset = {
  recordBytes: 0,
  kind: 4,
  flags: 5,
  entity: 8,
  payloadBytes: 12,
  a: 16,
  b: 24,
  c: 32,
  guid: 40,
  payload: 56,
} as const;

const guidBytes = 16;
const flagReliableWriter = 1;
const flagWriterJoined = 2;
/** The add-on writes records in the byte order of the machine. */
const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/**
 * A cursor over one batch of event records, laid out as in src/dds/native/event-record.h. What
 * `a`, `b` and `c` mean depends on the kind; see that file.
 */
export class EventBatch {
  #view: DataView;
  #start = 0;
  #end = 0;
  #length: number;

  constructor(batch: ArrayBuffer, byteLength: number) {
    this.#view = new DataView(batch, 0, byteLength);
    this.#length = byteLength;
  }

  /** Moves to the next record; false when there is none. */
  next(): boolean {
    this.#start = this.#end;
    if (this.#start >= this.#length) return false;
    this.#end = this.#start + this.#view.getUint32(this.#start + offset.recordBytes, littleEndian);
    return true;
  }

  /** True when there is a record after this one. */
  get hasNext(): boolean {
    return this.#end < this.#length;
  }

  get kind(): EventKind {
    return this.#view.getUint8(this.#start + offset.kind) as EventKind;
  }

  get entity(): number {
    return this.#view.getInt32(this.#start + offset.entity, littleEndian);
  }

  get reliableWriter(): boolean {
    return (this.#view.getUint8(this.#start + offset.flags) & flagReliableWriter) !== 0;
  }

  get writerJoined(): boolean {
    return (this.#view.getUint8(this.#start + offset.flags) & flagWriterJoined) !== 0;
  }

  get a(): bigint {
    return this.#view.getBigInt64(this.#start + offset.a, littleEndian);
  }

  get b(): bigint {
    return this.#view.getBigInt64(this.#start + offset.b, littleEndian);
  }

  get c(): bigint {
    return this.#view.getBigInt64(this.#start + offset.c, littleEndian);
  }

  /** 32 hex digits. */
  get guid(): string {
    return hexOf(
      new Uint8Array(
        this.#view.buffer,
        this.#view.byteOffset + this.#start + offset.guid,
        guidBytes,
      ),
    );
  }

  /** One of the whole numbers in a payload of 64-bit ones; its place counts from 0. */
  number(place: number): number {
    const at = this.#start + offset.payload + place * BigInt64Array.BYTES_PER_ELEMENT;
    return Number(this.#view.getBigInt64(at, littleEndian));
  }

  /** A view, valid until the next batch. */
  get payload(): Uint8Array {
    return new Uint8Array(
      this.#view.buffer,
      this.#view.byteOffset + this.#start + offset.payload,
      this.#view.getUint32(this.#start + offset.payloadBytes, littleEndian),
    );
  }
}

/** Lower-case hex digits, two for each byte. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
