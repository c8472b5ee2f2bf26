import type { Socket } from 'node:net';
import {
  describeFrame,
  FrameWriter,
  headerBytes,
  keptPriority,
  priorityOffset,
  typeOffset,
} from '../../tap/index.js';

/** Bytes that wait for one reader at most. */
const mostBacklog = 1_048_576;

/** The most bytes that wait after frames were dropped: not every further frame drops another. */
const backlogAfterDrop = mostBacklog / 2;

/** Bytes that are handed to the operating system at once. */
const mostInFlight = 262_144;

/** A reader that must have everything is behind while more bytes wait, and has caught up with fewer than these. */
const behindBytes = 262_144;
const caughtUpBytes = 65_536;

/** At the end, a reader that takes nothing for this time is cut off, ms. */
const longestPauseMs = 500;

/** One reader of the tap: what waits for it is bounded, and what it loses is counted. */
export class TapClient {
  readonly #socket: Socket;
  #backlog: Buffer[] = [];
  #waiting = 0;
  #inFlight = false;
  readonly #dropped = new Map<number, number>();
  #ended: (() => void) | undefined;
  #needsAll = false;
  #isGivenUp = false;
  #caughtUp: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => this.#caughtUp?.());
  }

  /** The reader must have everything. */
  needAll(): void {
    this.#needsAll = true;
  }

  /** True while a reader that must have everything is too slow. */
  get isBehind(): boolean {
    const isWaitedFor = this.#needsAll && !this.#isGivenUp && !this.#socket.destroyed;
    return isWaitedFor && this.#waiting > behindBytes;
  }

  /** Settles when the reader has caught up, or is gone. */
  async caughtUp(): Promise<void> {
    await new Promise<void>((resolve) => (this.#caughtUp = resolve));
  }

  /** It may lose records until it has read all that waits. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** @param frames whole ones; not copied. */
  send(frames: Buffer): void {
    this.#backlog.push(frames);
    this.#waiting += frames.length;
    if (this.#waiting > mostBacklog) this.#drop();
    this.#write();
  }

  /** Ends the connection when all frames are written, or the reader takes none; settles then. */
  async end(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#ended = resolve;
      this.#socket.once('close', resolve);
      this.#socket.setTimeout(longestPauseMs, () => this.#socket.destroy());
      this.#write();
    });
    this.#socket.end();
  }

  #write(): void {
    if (this.#inFlight || this.#socket.destroyed) return;
    const chunks = this.#takeDropped();
    let bytes = 0;
    let taken = 0;
    for (const chunk of this.#backlog) {
      if (bytes >= mostInFlight) break;
      chunks.push(chunk);
      bytes += chunk.length;
      taken++;
    }
    this.#backlog.splice(0, taken);
    this.#waiting -= bytes;
    if (this.#waiting === 0) this.#isGivenUp = false;
    if (this.#waiting < caughtUpBytes) this.#caughtUp?.();
    if (chunks.length === 0) {
      this.#ended?.();
      return;
    }
    this.#inFlight = true;
    const [first] = chunks;
    const all = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    this.#socket.write(all, () => {
      this.#inFlight = false;
      this.#write();
    });
  }

  /** A frame about what was dropped, in the place of the first that is left. */
  #takeDropped(): Buffer[] {
    if (this.#dropped.size === 0) return [];
    const records = [...this.#dropped].map(([key, count]) => ({ ...describeFrame(key), count }));
    this.#dropped.clear();
    const frames = new FrameWriter();
    frames.plain('dropped', { records }, keptPriority);
    return [frames.take()];
  }

  /** Drops the frames of the lowest priority first, and of these the oldest. */
  #drop(): void {
    for (let priority = 0; priority < keptPriority; priority++) {
      for (const [i, chunk] of this.#backlog.entries()) {
        if (this.#waiting <= backlogAfterDrop) break;
        const kept = this.#without(chunk, priority);
        this.#waiting -= chunk.length - kept.length;
        this.#backlog[i] = kept;
      }
    }
    // Otherwise every drop walks over the remains of all before it.
    this.#backlog = this.#backlog.filter(({ length }) => length > 0);
    if (this.#waiting > mostBacklog) this.#socket.destroy();
  }

  /** The frames of a chunk but those of this priority, which are counted. */
  #without(chunk: Buffer, priority: number): Buffer {
    const kept: Buffer[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length;) {
      const end = at + headerBytes + chunk.readUInt32LE(at);
      if (chunk[at + priorityOffset] === priority) {
        kept.push(chunk.subarray(from, at));
        from = end;
        const key = chunk.readUInt32LE(at + typeOffset);
        this.#dropped.set(key, (this.#dropped.get(key) ?? 0) + 1);
      }
      at = end;
    }
    return from === 0 ? chunk : Buffer.concat([...kept, chunk.subarray(from)]);
  }
}
