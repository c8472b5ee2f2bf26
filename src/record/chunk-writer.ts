import { type McapTypes, Opcode } from '@mcap/core';

/** Bytes of a message record before its data: opcode, length, channel, sequence, two times. */
const messageHead = 1 + 8 + 2 + 4 + 8 + 8;
const publishTimeOffset = messageHead - 8;
const logTimeOffset = publishTimeOffset - 8;

/** Bytes of a message index before its entries: opcode, length, channel, bytes of the entries. */
const indexHead = 1 + 8 + 2 + 4;
/** Time and offset of a message. */
const entryBytes = 8 + 8;

const initialBytes = 4096;

/** Bytes in memory that grows and is used again. */
class GrowingBytes {
  #bytes = Buffer.alloc(initialBytes);
  view = new DataView(this.#bytes.buffer);
  length = 0;

  /** Adds so many bytes. @returns where they begin; `view` may be another one now. */
  reserve(size: number): number {
    const at = this.length;
    this.length += size;
    if (this.length > this.#bytes.length) {
      const old = this.#bytes;
      this.#bytes = Buffer.alloc(2 * this.length);
      this.#bytes.set(old);
      this.view = new DataView(this.#bytes.buffer);
    }
    return at;
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    const at = this.reserve(end - start);
    this.#bytes.set(bytes.subarray(start, end), at);
  }

  /** Valid until bytes are added. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

/** The messages of one channel in a chunk. */
export interface ChunkChannel {
  readonly id: number;
  readonly messages: number;
  /** The record of its message index; valid until the chunk is begun again. */
  readonly index: Uint8Array;
}

class ChannelIndex implements ChunkChannel {
  readonly entries = new GrowingBytes();

  constructor(readonly id: number) {
    this.clear();
  }

  get messages(): number {
    return (this.entries.length - indexHead) / entryBytes;
  }

  get index(): Uint8Array {
    const { entries } = this;
    const { view, length } = entries;
    view.setUint8(0, Opcode.MESSAGE_INDEX);
    view.setUint32(1, length - 9, true);
    view.setUint16(9, this.id, true);
    view.setUint32(11, length - indexHead, true);
    return entries.bytes;
  }

  clear(): void {
    this.entries.length = indexHead;
  }
}

/**
 * The records of an open chunk, and its message indexes. They are written into memory that is used
 * again, without objects for the entries of an index: a recorder has thousands of messages per second.
 */
export class ChunkWriter {
  readonly #records = new GrowingBytes();
  readonly #channels = new Map<number, ChannelIndex>();
  #messages = 0;
  #startTime = 0n;
  #endTime = 0n;

  /** Messages since the chunk was begun. */
  get messages(): number {
    return this.#messages;
  }

  /** Lowest log time, ns. */
  get startTime(): bigint {
    return this.#startTime;
  }

  /** Highest log time, ns. */
  get endTime(): bigint {
    return this.#endTime;
  }

  get byteLength(): number {
    return this.#records.length;
  }

  /** The records; valid until a message is added. */
  get bytes(): Uint8Array {
    return this.#records.bytes;
  }

  /** Those with messages. */
  get channels(): ChunkChannel[] {
    return [...this.#channels.values()].filter(({ messages }) => messages > 0);
  }

  /** Adds a message; its bytes, which are those of `data` from `start` to `end`, are copied. */
  add(
    { channelId, sequence, logTime, publishTime, data }: McapTypes.Message,
    start = 0,
    end = data.length,
  ): void {
    if (this.#messages === 0 || logTime < this.#startTime) this.#startTime = logTime;
    if (this.#messages === 0 || logTime > this.#endTime) this.#endTime = logTime;
    this.#messages++;
    const records = this.#records;
    const at = records.reserve(messageHead);
    const { view } = records;
    view.setUint8(at, Opcode.MESSAGE);
    view.setUint32(at + 1, messageHead - 9 + end - start, true);
    view.setUint32(at + 5, 0);
    view.setUint16(at + 9, channelId, true);
    view.setUint32(at + 11, sequence, true);
    view.setBigUint64(at + logTimeOffset, logTime, true);
    view.setBigUint64(at + publishTimeOffset, publishTime, true);
    records.add(data, start, end);
    const { entries } = this.#channel(channelId);
    const entry = entries.reserve(entryBytes);
    entries.view.setBigUint64(entry, logTime, true);
    entries.view.setUint32(entry + 8, at, true);
  }

  /** Begins the next chunk. */
  clear(): void {
    this.#messages = 0;
    this.#records.length = 0;
    for (const channel of this.#channels.values()) channel.clear();
  }

  #channel(id: number): ChannelIndex {
    let channel = this.#channels.get(id);
    if (channel === undefined) {
      channel = new ChannelIndex(id);
      this.#channels.set(id, channel);
    }
    return channel;
  }
}
