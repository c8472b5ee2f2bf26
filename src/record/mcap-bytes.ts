import { crc32 } from 'node:zlib';
import { McapRecordBuilder, type McapTypes, Opcode } from '@mcap/core';
import { compress, isLoaded } from '@foxglove/wasm-zstd';
import { ByteBlocks } from './byte-blocks.js';
import { type ChunkChannel, ChunkWriter } from './chunk-writer.js';

/** Settles when chunks can be compressed. */
export const zstdLoaded = isLoaded;

/** Fast, and enough for samples that repeat most of their bytes. */
const compressionLevel = -1;

/** Bytes of a chunk index, and of what it has for each channel. */
const chunkIndexBytes = 9 + 8 * 8 + 4 + 4 + 4;
const indexOffsetBytes = 2 + 8;

/** No other record of the end of a file has more bytes, the schemas left out. */
const mostRecordBytes = 1024;

/** Bytes of a footer before its checksum: opcode, length, and two offsets. */
const footerHead = 1 + 8 + 8 + 8;
const footerContent = 8 + 8 + 4;

/**
 * The bytes of one MCAP file, from the first to the last. It does no I/O: append what each method
 * returns to the file, in the order of the calls. Await `zstdLoaded` once before.
 */
export class McapBytes {
  readonly #records = new McapRecordBuilder();
  readonly #chunk = new ChunkWriter();
  #schemas: readonly McapTypes.Schema[] = [];
  #channels: readonly McapTypes.Channel[] = [];
  /** The records of all chunk indexes, some 200 bytes each; as objects they would fill the heap in a day. */
  readonly #chunkIndexes = new ByteBlocks();
  readonly #attachmentIndexes: McapTypes.AttachmentIndex[] = [];
  readonly #metadataIndexes: McapTypes.MetadataIndex[] = [];
  readonly #statistics: McapTypes.Statistics = {
    messageCount: 0n,
    schemaCount: 0,
    channelCount: 0,
    attachmentCount: 0,
    metadataCount: 0,
    chunkCount: 0,
    messageStartTime: 0n,
    messageEndTime: 0n,
    channelMessageCounts: new Map(),
  };
  #position = 0n;
  #crc = 0;

  /** Bytes returned so far. */
  get position(): bigint {
    return this.#position;
  }

  /** An upper bound of the bytes of {@link end}, when no chunk is added. */
  get mostEndBytes(): number {
    const channels = this.#channels.length;
    const schemaBytes = this.#schemas.reduce((sum, { data }) => sum + data.length, 0);
    const records = channels + this.#attachmentIndexes.length + this.#metadataIndexes.length;
    const perChunk = chunkIndexBytes + indexOffsetBytes * channels;
    return schemaBytes + records * mostRecordBytes + this.chunks * perChunk;
  }

  /** Chunks closed so far. */
  get chunks(): number {
    return this.#statistics.chunkCount;
  }

  /** Messages of the open chunk. */
  get pendingMessages(): number {
    return this.#chunk.messages;
  }

  /** Bytes of the open chunk, before they are compressed. */
  get pendingBytes(): number {
    return this.#chunk.byteLength;
  }

  /**
   * The begin of the file, with all its schemas and channels, so that a broken chunk does not take them
   * from the others.
   */
  begin(
    header: McapTypes.Header,
    schemas: readonly McapTypes.Schema[],
    channels: readonly McapTypes.Channel[],
  ): Uint8Array {
    this.#schemas = schemas;
    this.#channels = channels;
    this.#records.writeMagic();
    this.#records.writeHeader(header);
    for (const schema of schemas) this.#records.writeSchema(schema);
    for (const channel of channels) this.#records.writeChannel(channel);
    return this.#take();
  }

  /** Adds a message to the open chunk; its bytes, which are those of `data` from `start` to `end`, are copied. */
  addMessage(message: McapTypes.Message, start?: number, end?: number): void {
    this.#chunk.add(message, start, end);
  }

  /** Closes the open chunk: its bytes and those of its indexes; none without messages. */
  closeChunk(): Uint8Array {
    if (this.#chunk.messages === 0) return new Uint8Array();
    const { startTime, endTime, bytes: uncompressed, channels } = this.#chunk;
    const compressed = compress(uncompressed, compressionLevel);
    const sizes = { uncompressedSize: BigInt(uncompressed.byteLength), compression: 'zstd' };
    const times = { messageStartTime: startTime, messageEndTime: endTime };
    const chunkLength = this.#records.writeChunk({
      ...times,
      ...sizes,
      uncompressedCrc: crc32(uncompressed),
      records: compressed,
    });
    this.#count(startTime, endTime, channels);
    const messageIndexOffsets = new Map<number, bigint>();
    const messageIndexes: Uint8Array[] = [];
    let messageIndexBytes = 0;
    for (const { id, index } of channels) {
      messageIndexes.push(index);
      messageIndexOffsets.set(id, this.#position + chunkLength + BigInt(messageIndexBytes));
      messageIndexBytes += index.byteLength;
    }
    const chunkStartOffset = this.#position;
    const bytes = this.#take(messageIndexes);
    this.#records.writeChunkIndex({
      ...times,
      ...sizes,
      chunkStartOffset,
      chunkLength,
      messageIndexOffsets,
      messageIndexLength: BigInt(messageIndexBytes),
      compressedSize: BigInt(compressed.byteLength),
    });
    this.#chunkIndexes.add(this.#records.buffer);
    this.#records.reset();
    this.#chunk.clear();
    return bytes;
  }

  /** Adds the open chunk to the statistics. */
  #count(startTime: bigint, endTime: bigint, channels: readonly ChunkChannel[]): void {
    const statistics = this.#statistics;
    const isFirst = statistics.chunkCount === 0;
    if (isFirst || startTime < statistics.messageStartTime) statistics.messageStartTime = startTime;
    if (isFirst || endTime > statistics.messageEndTime) statistics.messageEndTime = endTime;
    statistics.chunkCount++;
    statistics.messageCount += BigInt(this.#chunk.messages);
    const counts = statistics.channelMessageCounts;
    for (const { id, messages } of channels) {
      counts.set(id, (counts.get(id) ?? 0n) + BigInt(messages));
    }
  }

  /** A file within the recording. */
  attachment(attachment: McapTypes.Attachment): Uint8Array {
    const { name, mediaType, logTime, createTime, data } = attachment;
    const offset = this.#position;
    const length = this.#records.writeAttachment(attachment);
    const dataSize = BigInt(data.byteLength);
    const index = { offset, length, logTime, createTime, dataSize, name, mediaType };
    this.#attachmentIndexes.push(index);
    this.#statistics.attachmentCount++;
    return this.#take();
  }

  /** Names and values about the recording. */
  metadata(metadata: McapTypes.Metadata): Uint8Array {
    const offset = this.#position;
    const length = this.#records.writeMetadata(metadata);
    this.#metadataIndexes.push({ offset, length, name: metadata.name });
    this.#statistics.metadataCount++;
    return this.#take();
  }

  /** The end of the file with the indexes for readers that seek. Close the chunk first. */
  end(): Uint8Array {
    return Buffer.concat([this.#dataEnd(), ...this.#summary()]);
  }

  #dataEnd(): Uint8Array {
    const records = new McapRecordBuilder();
    records.writeDataEnd({ dataSectionCrc: this.#crc });
    return records.buffer;
  }

  #summary(): readonly Uint8Array[] {
    const records = new McapRecordBuilder();
    const start = this.#position + BigInt(this.#dataEnd().byteLength);
    const groups: McapTypes.SummaryOffset[] = [];
    const group = <T>(groupOpcode: Opcode, items: Iterable<T>, write: (item: T) => bigint) => {
      const groupStart = start + BigInt(records.length);
      let groupLength = 0n;
      for (const item of items) groupLength += write(item);
      if (groupLength > 0n) groups.push({ groupOpcode, groupStart, groupLength });
    };
    const statistics = {
      ...this.#statistics,
      schemaCount: this.#schemas.length,
      channelCount: this.#channels.length,
    };
    group(Opcode.SCHEMA, this.#schemas, (item) => records.writeSchema(item));
    group(Opcode.CHANNEL, this.#channels, (item) => records.writeChannel(item));
    group(Opcode.STATISTICS, [statistics], (item) => records.writeStatistics(item));
    group(Opcode.METADATA_INDEX, this.#metadataIndexes, (i) => records.writeMetadataIndex(i));
    group(Opcode.ATTACHMENT_INDEX, this.#attachmentIndexes, (i) => records.writeAttachmentIndex(i));
    const groupStart = start + BigInt(records.length);
    const groupLength = BigInt(this.#chunkIndexes.length);
    if (groupLength > 0n) groups.push({ groupOpcode: Opcode.CHUNK_INDEX, groupStart, groupLength });
    const items = [records.buffer, ...this.#chunkIndexes.blocks];
    records.reset();
    for (const offset of groups) records.writeSummaryOffset(offset);
    const offsets = records.buffer;
    records.reset();
    const summaryOffsetStart = groupStart + groupLength;
    const head = footerHeadOf(start, summaryOffsetStart);
    const summaryCrc = [...items, offsets, head].reduce((crc, bytes) => crc32(bytes, crc), 0);
    records.writeFooter({ summaryStart: start, summaryOffsetStart, summaryCrc });
    records.writeMagic();
    return [...items, offsets, records.buffer];
  }

  /** The records so far, and these after them. */
  #take(further: readonly Uint8Array[] = []): Uint8Array {
    const bytes = Buffer.concat([this.#records.buffer, ...further]);
    this.#records.reset();
    this.#position += BigInt(bytes.byteLength);
    this.#crc = crc32(bytes, this.#crc);
    return bytes;
  }
}

/**
 * The end of a file without indexes and checksum, for a disk without room for them. Every reader that
 * reads from the begin reads such a file.
 */
export function shortEnd(): Uint8Array {
  const records = new McapRecordBuilder();
  records.writeDataEnd({ dataSectionCrc: 0 });
  records.writeFooter({ summaryStart: 0n, summaryOffsetStart: 0n, summaryCrc: 0 });
  records.writeMagic();
  return records.buffer;
}

function footerHeadOf(summaryStart: bigint, summaryOffsetStart: bigint): Uint8Array {
  const head = Buffer.alloc(footerHead);
  head.writeUInt8(Opcode.FOOTER, 0);
  head.writeBigUInt64LE(BigInt(footerContent), 1);
  head.writeBigUInt64LE(summaryStart, 9);
  head.writeBigUInt64LE(summaryOffsetStart, 17);
  return head;
}
