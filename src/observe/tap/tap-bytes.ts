import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { HlcError } from '../../errors/index.js';

/** Bytes that are read at once. A reader that finds so many does not pause. */
const readBytes = 128 * 1024;

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
  #isBehind = false;
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
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ECONNREFUSED')
        throw new HlcError('HLC_TAP_NOBODY', { path });
      throw new HlcError('HLC_TAP_CONNECT', { path, cause: message }, { cause: error });
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
    const wasBehind = this.#isBehind;
    this.#isBehind = size === buffer.length;
    if (this.#isFull) return false;
    if (this.#pauseMs === 0 || wasBehind || this.#isBehind) return true;
    this.#timer = setTimeout(() => this.#socket.resume(), this.#pauseMs);
    return false;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#isClosed = true;
    this.#wake?.();
  }
}
