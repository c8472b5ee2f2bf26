import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { HlcError } from '../../errors/index.js';

/** Bytes that are read at once. */
const readBytes = 128 * 1024;

/** More bytes than these shall not come in a pause: the socket has room for about twice as many. */
const pauseBytes = 96 * 1024;

/** Bytes that wait for their consumer at most; then the socket is not read. */
const mostWaitingBytes = 4 * readBytes;

/**
 * The bytes of a tap. The socket is read into one buffer, without a stream in between: this costs a
 * fraction of the processor time.
 */
export class TapBytes {
  readonly #socket: Socket;
  readonly #pauseMs: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #readAtMs = -Infinity;
  #isClosed = false;
  #error: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;

  private constructor(path: string, pauseMs: number) {
    this.#pauseMs = pauseMs;
    const callback = (size: number, buffer: Uint8Array) => this.#take(size, buffer);
    this.#socket = connect({ path, onread: { buffer: Buffer.alloc(readBytes), callback } });
  }

  /**
   * @param pauseMs as for `connectTap`.
   * @throws HlcError `HLC_TAP_NOBODY`, `HLC_TAP_CONNECT`.
   */
  static async open(path: string, pauseMs: number): Promise<TapBytes> {
    const bytes = new TapBytes(path, pauseMs);
    const socket = bytes.#socket;
    try {
      await once(socket, 'connect');
    } catch (error) {
      throw connectError(path, error as NodeJS.ErrnoException);
    }
    socket.on('error', (error) => (bytes.#error = error));
    socket.on('close', () => bytes.#end());
    socket.resume();
    return bytes;
  }

  /** The next bytes; undefined at the end. @throws Error of the socket. */
  async next(): Promise<Buffer | undefined> {
    if (this.#waiting.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const [first, ...others] = this.#waiting;
    if (first === undefined) {
      if (this.#error !== undefined) throw this.#error;
      return undefined;
    }
    const wasFull = this.#isFull;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (wasFull) this.#socket.resume();
    return others.length === 0 ? first : Buffer.concat([first, ...others]);
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** @param error thrown by `next`. */
  close(error?: Error): void {
    this.#socket.destroy(error);
  }

  get #isFull(): boolean {
    return this.#waitingBytes >= mostWaitingBytes;
  }

  /** @returns false to read no further until `resume`; `pause` would cost more. */
  #take(size: number, buffer: Uint8Array): boolean {
    this.#waiting.push(Buffer.from(buffer.subarray(0, size)));
    this.#waitingBytes += size;
    this.#wake?.();
    this.#wake = undefined;
    if (this.#isFull) return false;
    const now = performance.now();
    const sinceMs = now - this.#readAtMs;
    this.#readAtMs = now;
    const pauseMs = size === readBytes ? 0 : nextPauseMs(this.#pauseMs, size, sinceMs);
    if (pauseMs < 1) return true;
    this.#timer = setTimeout(() => this.#socket.resume(), pauseMs);
    return false;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#isClosed = true;
    this.#wake?.();
  }
}

/** A middleware that ends resets the connections that it has not accepted. */
const nobodyCodes = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET']);

/** Why there is no connection: an error of the socket before the hello. */
export function connectError(path: string, error: NodeJS.ErrnoException): HlcError {
  if (nobodyCodes.has(error.code ?? '')) return new HlcError('HLC_TAP_NOBODY', { path });
  return new HlcError('HLC_TAP_CONNECT', { path, cause: error.message }, { cause: error });
}

/**
 * Pause after a read, ms: so long that no more comes meanwhile than the socket has room for.
 * @param longestMs pause when little comes.
 * @param size bytes that were read.
 * @param sinceMs time since the read before.
 */
export function nextPauseMs(longestMs: number, size: number, sinceMs: number): number {
  return Math.min(longestMs, (pauseBytes / size) * sinceMs);
}
