import { open, readdir, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { McapTypes } from '@mcap/core';
import { McapBytes, shortEnd, zstdLoaded } from './mcap-bytes.js';

/** What each part of a recording begins with, so that it can be read alone. */
export interface RecordingHead {
  /** Name and version of this program. */
  readonly library: string;
  readonly schemas: readonly McapTypes.Schema[];
  readonly channels: readonly McapTypes.Channel[];
  readonly attachments: readonly McapTypes.Attachment[];
  readonly metadata: readonly McapTypes.Metadata[];
}

export interface RecordingFileOptions {
  readonly path: string;
  readonly head: RecordingHead;
  /** A part is not larger than this, bytes, 4 MiB or more; null: as large as its chunks make it. */
  readonly maxBytes: number | null;
  /** Called once when the file cannot be written any more; what is in it stays readable. */
  readonly onFailed: (error: Error) => void;
}

/** A chunk is closed when it is so large, bytes before they are compressed. */
const chunkBytes = 1024 * 1024;

/**
 * A part has at most this many chunks: their indexes, some 200 bytes each, stay in memory until its end. At 16
 * chunks per second that is three and a half hours.
 */
export const mostChunks = 200_000;

/** Room for a chunk that compression made larger, and for its indexes, bytes. */
const mostChunkBytes = chunkBytes + chunkBytes / 2;

/**
 * The disk is synchronized at most this often, ms. What the kernel has survives the end of this program; only
 * a power cut takes what the disk has not.
 */
const syncMs = 1000;

/** Writes that are remembered, so that the last of them can be taken back on a full disk. */
const mostMarks = 64;

/**
 * A recording as one MCAP file, or as several when it outgrows `maxBytes` or a bounded number of chunks:
 * `drive.mcap`, `drive.2.mcap` and so on. Messages wait in memory until {@link flush}; from then on the file is written in
 * the background, in order.
 */
export class RecordingFile {
  readonly #options: RecordingFileOptions;
  #part = 1;
  #bytes: McapBytes;
  #file: FileHandle;
  #partPath: string;
  /** Bytes of the part that the disk has taken. */
  #written = 0;
  #marks: number[] = [];
  #waitingBytes = 0;
  #syncing: Promise<void> | undefined;
  #syncedAtMs = -Infinity;
  #failed = false;
  #tail: Promise<void> = Promise.resolve();

  private constructor(options: RecordingFileOptions, file: FileHandle) {
    this.#options = options;
    this.#file = file;
    this.#partPath = options.path;
    this.#bytes = new McapBytes();
    this.#begin();
  }

  /**
   * Makes the file and writes its head; an existing one is not overwritten. A file with the name of a further
   * part is refused, too: the recording could not go on there.
   * @throws Error of the file system: `EEXIST`, `EACCES`, `ENOENT`.
   */
  static async create(options: RecordingFileOptions): Promise<RecordingFile> {
    await zstdLoaded;
    const other = await furtherPart(options.path);
    if (other !== undefined) throw new Error(`EEXIST: file already exists, open '${other}'`);
    const recording = new RecordingFile(options, await open(options.path, 'wx'));
    await recording.#tail;
    return recording;
  }

  /** Parts so far. */
  get parts(): number {
    return this.#part;
  }

  /** Bytes of closed chunks that the kernel has not taken yet. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /**
   * Adds a message to the open chunk; its bytes, which are those of `data` from `start` to `end`, are copied.
   * Without effect after a failure.
   */
  add(message: McapTypes.Message, start = 0, end = message.data.length): void {
    if (this.#failed) return;
    if (this.#bytes.pendingMessages === 0 && this.#isFull) this.#nextPart();
    this.#bytes.addMessage(message, start, end);
    if (this.#bytes.pendingBytes >= chunkBytes) this.flush();
  }

  /** Closes the chunk, and has it written in the background. */
  flush(): void {
    if (this.#failed || this.#bytes.pendingMessages === 0) return;
    this.#append(this.#bytes.closeChunk());
  }

  /**
   * Ends the recording.
   * @param metadata written last, for example with what was dropped.
   */
  async close(metadata: readonly McapTypes.Metadata[]): Promise<void> {
    this.flush();
    for (const each of metadata) this.#append(this.#bytes.metadata(each));
    this.#endPart();
    await this.#tail;
  }

  /** Settles when the kernel has all that was flushed. */
  async written(): Promise<void> {
    await this.#tail;
  }

  get #isFull(): boolean {
    const { maxBytes } = this.#options;
    const bytes = this.#bytes;
    const { chunks } = bytes;
    if (chunks >= mostChunks) return true;
    if (maxBytes === null || chunks === 0) return false;
    return Number(bytes.position) + mostChunkBytes + bytes.mostEndBytes > maxBytes;
  }

  #begin(): void {
    const { library, schemas, channels, attachments, metadata } = this.#options.head;
    const bytes = this.#bytes;
    const part = new Map([['number', String(this.#part)]]);
    this.#append(
      Buffer.concat([
        bytes.begin({ profile: 'ros2', library }, schemas, channels),
        bytes.metadata({ name: 'part', metadata: part }),
        ...metadata.map((each) => bytes.metadata(each)),
        ...attachments.map((each) => bytes.attachment(each)),
      ]),
    );
  }

  #nextPart(): void {
    this.#endPart();
    this.#part++;
    const name = partPath(this.#options.path, this.#part);
    this.#enqueue(async () => {
      this.#file = await open(name, 'wx');
      this.#partPath = name;
      this.#written = 0;
      this.#marks = [];
    });
    this.#bytes = new McapBytes();
    this.#begin();
  }

  #endPart(): void {
    this.#append(this.#bytes.end());
    this.#enqueue(async () => {
      await this.#syncing;
      await this.#file.datasync();
      await this.#file.close();
    });
  }

  #append(bytes: Uint8Array): void {
    this.#waitingBytes += bytes.byteLength;
    this.#enqueue(async () => {
      await this.#writeAll(bytes);
      this.#waitingBytes -= bytes.byteLength;
      const isDue = performance.now() - this.#syncedAtMs >= syncMs;
      if (isDue && this.#syncing === undefined) this.#sync();
    });
  }

  /** Synchronizes what was written. No write waits for it: a disk under load takes long. */
  #sync(): void {
    this.#syncedAtMs = performance.now();
    const syncing = this.#file.datasync().finally(() => (this.#syncing = undefined));
    syncing.catch(() => this.#enqueue(() => syncing));
    this.#syncing = syncing;
  }

  #enqueue(work: () => Promise<void>): void {
    this.#tail = this.#tail.then(async () => {
      if (this.#failed) return;
      try {
        await work();
      } catch (error) {
        this.#failed = true;
        await this.#endShort();
        this.#options.onFailed(error as Error);
      }
    });
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.byteLength) {
      const left = bytes.byteLength - done;
      const { bytesWritten } = await this.#file.write(bytes, done, left, this.#written + done);
      done += bytesWritten;
    }
    this.#marks = [...this.#marks.slice(1 - mostMarks), this.#written];
    this.#written += done;
  }

  /** Ends the file after the last write that fits with its end. A part without its head is removed. */
  async #endShort(): Promise<void> {
    const end = shortEnd();
    try {
      if (this.#written === 0) {
        await this.#file.close();
        await rm(this.#partPath);
        return;
      }
      for (const position of [this.#written, ...this.#marks.reverse()]) {
        await this.#file.truncate(position);
        const isEnded = await this.#file.write(end, 0, end.byteLength, position).then(
          ({ bytesWritten }) => bytesWritten === end.byteLength,
          () => false,
        );
        if (isEnded) break;
      }
      await this.#file.datasync();
      await this.#file.close();
    } catch {
      // The first error says more; what is on the disk is read as a file that was cut.
    }
  }
}

/** A file with the name of a further part of a recording, if there is one. */
async function furtherPart(first: string): Promise<string | undefined> {
  const { dir, name, ext } = path.parse(first);
  // Without the folder, the file cannot be made either.
  const names = await readdir(path.resolve(dir)).catch(() => []);
  const found = names.find((each) => {
    if (!each.startsWith(`${name}.`) || !each.endsWith(ext)) return false;
    return /^([2-9]|[1-9]\d+)$/.test(each.slice(name.length + 1, each.length - ext.length));
  });
  return found && path.join(dir, found);
}

/** The file of a part: `drive.mcap`, `drive.2.mcap`. @param part 1 or more. */
export function partPath(first: string, part: number): string {
  if (part === 1) return first;
  const { dir, name, ext } = path.parse(first);
  return path.join(dir, `${name}.${part}${ext}`);
}
