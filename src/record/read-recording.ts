import { open, type FileHandle } from 'node:fs/promises';
import { decompress } from '@foxglove/wasm-zstd';
import {
  MCAP_MAGIC,
  McapRecordBuilder,
  McapStreamReader,
  type McapTypes,
  Opcode,
} from '@mcap/core';
import { HlcError } from '../errors/index.js';
import { zstdLoaded } from './mcap-bytes.js';

/** What a recording holds, in the order of the file. */
export type RecordingItem =
  | RecordedMessage
  | { readonly kind: 'schema'; readonly schema: McapTypes.Schema }
  | { readonly kind: 'channel'; readonly channel: McapTypes.Channel }
  | RecordedMetadata
  | { readonly kind: 'attachment'; readonly attachment: McapTypes.Attachment }
  | Damage;

/** A message of a recording. */
export interface RecordedMessage {
  readonly kind: 'message';
  readonly channel: McapTypes.Channel;
  readonly message: McapTypes.Message;
}

/** Names and values about the recording. */
export interface RecordedMetadata {
  readonly kind: 'metadata';
  readonly metadata: McapTypes.Metadata;
}

/** Bytes of a file that hold nothing readable. */
export interface Damage {
  /** `cut`: the file, or the recording, ends without its end. `broken`: what follows is read again. */
  readonly kind: 'cut' | 'broken';
  /** Where they begin. */
  readonly offset: number;
  readonly bytes: number;
}

/** A larger record is damage, bytes; ours have 1 MiB. */
const mostRecordBytes = 64 * 1024 * 1024;

/** So is a chunk with more bytes before its compression: its messages are in memory together. */
const mostChunkBytes = 16 * 1024 * 1024;

/** Each message and chunk is read after all of them; ours are about 30. */
const mostChannels = 1024;

const footerOpcode: number = Opcode.FOOTER;

const blockBytes = 1024 * 1024;
const recordHeadBytes = 9;

/** Records that say something that is not in others. */
const readOpcodes: ReadonlySet<number> = new Set([
  Opcode.SCHEMA,
  Opcode.CHANNEL,
  Opcode.MESSAGE,
  Opcode.CHUNK,
  Opcode.ATTACHMENT,
  Opcode.METADATA,
]);

const messageOpcodes: ReadonlySet<number> = new Set([Opcode.MESSAGE, Opcode.CHUNK]);

/**
 * Reads an MCAP file from its begin, also one that was cut or is broken in places.
 * @throws HlcError `HLC_RECORDING_READ` when it cannot be opened, is empty, is no MCAP file or has more than
 *   1024 channels; with a `cause` for an error of the file system only, and for too many channels.
 */
export async function* readRecording(file: string): AsyncGenerator<RecordingItem, void, void> {
  await zstdLoaded;
  const refuse = (cause: string, error?: unknown) =>
    new HlcError('HLC_RECORDING_READ', { file, cause }, { cause: error });
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw refuse((error as Error).message, error);
  });
  try {
    const { size } = await handle.stat();
    const bytes = new FileBytes(handle, size);
    const magic = await bytes.take(MCAP_MAGIC.length);
    if (magic === undefined) throw refuse(bytes.size === 0 ? 'it is empty' : 'it is too short');
    if (!MCAP_MAGIC.every((byte, i) => magic[i] === byte)) throw refuse('it is no MCAP file');
    yield* readRecords(bytes);
  } catch (error) {
    if (error instanceof HlcError) throw error;
    throw refuse((error as Error).message, error);
  } finally {
    await handle.close();
  }
}

async function* readRecords(bytes: FileBytes): AsyncGenerator<RecordingItem, void, void> {
  const records = new RecordReader();
  for (;;) {
    const offset = bytes.position;
    const head = await bytes.take(recordHeadBytes);
    const opcode = head?.readUInt8(0) ?? 0;
    const length = head?.readBigUInt64LE(1) ?? 0n;
    if (opcode === footerOpcode) return;
    const isRecord = opcode !== 0 && length <= BigInt(mostRecordBytes);
    const content = isRecord ? await bytes.take(Number(length)) : undefined;
    if (head === undefined || content === undefined) {
      yield { kind: 'cut', offset, bytes: bytes.size - offset };
      return;
    }
    if (!readOpcodes.has(opcode)) continue;
    const items = records.read(Buffer.concat([head, content]));
    if (items === undefined) {
      yield { kind: 'broken', offset, bytes: recordHeadBytes + content.byteLength };
    } else {
      yield* items;
    }
  }
}

/** Reads single records, and the records in chunks. */
class RecordReader {
  readonly #channels = new Map<number, McapTypes.Channel>();
  /** The records of all channels; undefined when there are new ones. */
  #known: Uint8Array | undefined;

  /** The items of a record; undefined when it is broken. @throws RangeError for too many channels. */
  read(record: Uint8Array): RecordingItem[] | undefined {
    const reader = new McapStreamReader({
      noMagicPrefix: true,
      decompressHandlers: { zstd: boundedDecompress },
    });
    const items: RecordingItem[] = [];
    const channels = new Map(this.#channels);
    // Messages are read after their channels.
    const hasMessages = messageOpcodes.has(record[0] ?? 0);
    try {
      reader.append(hasMessages ? Buffer.concat([this.#knownChannels(), record]) : record);
      let known = hasMessages ? channels.size : 0;
      for (let each = reader.nextRecord(); each !== undefined; each = reader.nextRecord()) {
        if (known-- > 0) continue;
        if (each.type === 'Channel') channels.set(each.id, each);
        const item = itemOf(each, channels);
        if (item !== undefined) items.push(item);
      }
      if (reader.bytesRemaining() > 0) return undefined;
    } catch {
      return undefined;
    }
    if (channels.size > this.#channels.size) this.#learn(channels);
    return items;
  }

  #learn(channels: ReadonlyMap<number, McapTypes.Channel>): void {
    if (channels.size > mostChannels) {
      throw new RangeError(`it has more than ${mostChannels} channels`);
    }
    for (const [id, channel] of channels) this.#channels.set(id, channel);
    this.#known = undefined;
  }

  #knownChannels(): Uint8Array {
    if (this.#known === undefined) {
      const builder = new McapRecordBuilder();
      for (const channel of this.#channels.values()) builder.writeChannel(channel);
      this.#known = builder.buffer.slice();
    }
    return this.#known;
  }
}

function itemOf(
  record: McapTypes.TypedMcapRecord,
  channels: ReadonlyMap<number, McapTypes.Channel>,
): RecordingItem | undefined {
  switch (record.type) {
    case 'Schema':
      return { kind: 'schema', schema: record };
    case 'Channel':
      return { kind: 'channel', channel: record };
    case 'Message': {
      const channel = channels.get(record.channelId);
      return channel && { kind: 'message', channel, message: record };
    }
    case 'Metadata':
      return { kind: 'metadata', metadata: record };
    case 'Attachment':
      return { kind: 'attachment', attachment: record };
    default:
      return undefined;
  }
}

function boundedDecompress(buffer: Uint8Array, size: bigint): Uint8Array {
  if (size > BigInt(mostChunkBytes)) throw new RangeError(`a chunk of ${size.toString()} bytes`);
  return decompress(buffer, Number(size));
}

/** A file from its begin, block by block. */
class FileBytes {
  readonly #handle: FileHandle;
  #block = Buffer.alloc(0);
  #ended = false;
  #read = 0;

  /** @param size of the file, bytes. */
  constructor(
    handle: FileHandle,
    readonly size: number,
  ) {
    this.#handle = handle;
  }

  /** Where the next byte is. */
  get position(): number {
    return this.#read - this.#block.byteLength;
  }

  /** The next bytes; undefined when there are not so many. */
  async take(count: number): Promise<Buffer | undefined> {
    while (this.#block.byteLength < count && !this.#ended) await this.#readBlock(count);
    if (this.#block.byteLength < count) return undefined;
    const taken = this.#block.subarray(0, count);
    this.#block = this.#block.subarray(count);
    return taken;
  }

  async #readBlock(wanted: number): Promise<void> {
    const room = Buffer.alloc(Math.max(blockBytes, wanted - this.#block.byteLength));
    const { bytesRead } = await this.#handle.read(room, 0, room.byteLength, this.#read);
    this.#ended = bytesRead === 0;
    this.#read += bytesRead;
    this.#block = Buffer.concat([this.#block, room.subarray(0, bytesRead)]);
  }
}
