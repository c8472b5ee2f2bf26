import { ByteBuffer } from 'flatbuffers';

/** A pose as an original node reads it. */
export interface ReadPose {
  readonly pos: readonly number[];
  readonly rot: readonly number[];
  readonly velocity: readonly number[];
}

/** A message as an original node reads it. */
export interface ReadMessage {
  readonly type: 'state' | 'description' | 'quit';
  readonly key: readonly [node: number, agent: number];
  readonly time?: number;
  readonly chassis?: ReadPose;
  readonly wheels?: readonly ReadPose[];
  readonly files?: readonly string[];
  readonly json?: string;
  readonly numWheels?: number;
}

/**
 * Reads a buffer as an original node does: it uses every pointer without a check. What crashes the
 * original throws here: an absent table, text, vector or key, and a message that it does not know.
 */
export function readAsOriginal(bytes: Uint8Array): ReadMessage[] {
  return new OriginalReader(new ByteBuffer(bytes)).messages();
}

class OriginalReader {
  constructor(private readonly buffer: ByteBuffer) {}

  messages(): ReadMessage[] {
    const { buffer } = this;
    if (buffer.readUint32(0) !== buffer.capacity() - 4) throw new Error('wrong size prefix');
    const root = 4 + buffer.readUint32(4);
    return this.#vector(root, 0).map((message) => this.#message(message));
  }

  #message(at: number): ReadMessage {
    const key = this.#key(at, 2);
    this.#key(at, 3);
    const body = this.#table(at, 1);
    switch (this.buffer.readUint8(this.#pointer(at, 0))) {
      case 1: {
        if (this.buffer.readUint8(this.#pointer(body, 0)) !== 1) throw new Error('not wheeled');
        const vehicle = this.#table(body, 1);
        return {
          type: 'state',
          key,
          time: this.#double(vehicle, 0),
          chassis: this.#pose(this.#table(vehicle, 1)),
          wheels: this.#vector(vehicle, 2).map((wheel) => this.#pose(wheel)),
        };
      }
      case 2: {
        if (this.buffer.readUint8(this.#pointer(body, 0)) !== 2) throw new Error('not wheeled');
        const vehicle = this.#table(body, 1);
        return {
          type: 'description',
          key,
          files: [0, 1, 2].map((slot) => this.#text(vehicle, slot)),
          json: this.#text(body, 2),
          numWheels: this.buffer.readInt32(this.#pointer(vehicle, 3)),
        };
      }
      case 7:
        if (this.buffer.readUint8(this.#pointer(body, 0)) !== 1) throw new Error('no quit');
        return { type: 'quit', key };
      default:
        throw new Error('an unknown message');
    }
  }

  #pose(at: number): ReadPose {
    const numbers = (slot: number, count: number) => {
      const table = this.#table(at, slot);
      return Array.from({ length: count }, (_, i) => this.#double(table, i));
    };
    for (const [slot, count] of [
      [3, 4],
      [4, 3],
      [5, 4],
    ] as const) {
      numbers(slot, count);
    }
    return { pos: numbers(0, 3), rot: numbers(1, 4), velocity: numbers(2, 3) };
  }

  #key(at: number, slot: number): readonly [number, number] {
    const key = this.#pointer(at, slot);
    return [this.buffer.readInt32(key), this.buffer.readInt32(key + 4)];
  }

  #double(at: number, slot: number): number {
    const offset = this.buffer.__offset(at, 4 + 2 * slot);
    return offset === 0 ? 0 : this.buffer.readFloat64(at + offset);
  }

  #text(at: number, slot: number): string {
    const text = this.buffer.__string(this.#pointer(at, slot));
    return typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
  }

  #table(at: number, slot: number): number {
    return this.buffer.__indirect(this.#pointer(at, slot));
  }

  #vector(at: number, slot: number): number[] {
    const field = this.#pointer(at, slot);
    const start = this.buffer.__vector(field);
    return Array.from({ length: this.buffer.__vector_len(field) }, (_, i) =>
      this.buffer.__indirect(start + 4 * i),
    );
  }

  #pointer(at: number, slot: number): number {
    const offset = this.buffer.__offset(at, 4 + 2 * slot);
    if (offset === 0) throw new Error(`slot ${slot} is absent: the original crashes`);
    return at + offset;
  }
}
