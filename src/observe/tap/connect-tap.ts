import { HlcError } from '../../errors/index.js';
import {
  FrameSplitter,
  needsAll,
  readPlain,
  RecordReader,
  splitFrames,
  TapFormatError,
  tapFormat,
  tapVersion,
  type TapHello,
  type TapRecord,
} from '../../tap/index.js';
import { connectError, TapBytes } from './tap-bytes.js';

/** A middleware that does not greet within this time, ms, is stopped. */
const greetingMs = 5000;

/** A connection to the tap of a middleware. */
export interface TapConnection {
  /** What the middleware is. */
  readonly hello: TapHello;
  /**
   * All records, from the hello on, as they came together. Ends when the middleware closes its tap, or
   * after `close`. One loop at a time.
   * @throws HlcError `HLC_TAP_LOST` when the middleware ended without closing it, `HLC_TAP_FORMAT`.
   */
  records(): AsyncGenerator<readonly TapRecord[], void>;
  /** As `records`, but each time the whole frames that came together, one after the other and undecoded. */
  frames(): AsyncGenerator<Buffer, void>;
  /**
   * Asks for everything: when this reader is slow, simulated time waits for it, at most `hello.waitMs`. Without effect
   * in real time, where records are dropped and counted.
   */
  needAll(): void;
  /** The middleware has closed its tap: these were all records. */
  readonly hasEnded: boolean;
  /** Ends the connection. */
  close(): void;
}

/**
 * Connects to the tap of a middleware and waits for its hello.
 * @param path of the tap, see `tapPathOf`.
 * @param pauseMs pause between two reads, ms: each read costs processor time; 0: none.
 * @throws HlcError `HLC_TAP_NOBODY`, `HLC_TAP_CONNECT`, `HLC_TAP_FULL`, `HLC_TAP_VERSION`,
 *   `HLC_TAP_FORMAT`.
 */
export async function connectTap(path: string, pauseMs = 0): Promise<TapConnection> {
  const bytes = await TapBytes.open(path, pauseMs);
  const timer = setTimeout(() => {
    bytes.close(new Error(`no greeting within ${greetingMs} ms`));
  }, greetingMs);
  try {
    const stream = new TapStream(path, bytes);
    await stream.greeted();
    return stream;
  } catch (error) {
    bytes.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

class TapStream implements TapConnection {
  readonly #path: string;
  readonly #bytes: TapBytes;
  readonly #splitter = new FrameSplitter();
  readonly #reader = new RecordReader();
  #hello: TapHello | undefined;
  /** What came together with the hello. */
  #first: Buffer | undefined;
  #isClosed = false;

  constructor(path: string, bytes: TapBytes) {
    this.#path = path;
    this.#bytes = bytes;
  }

  get hello(): TapHello {
    if (this.#hello === undefined) throw new TypeError('the tap has not greeted');
    return this.#hello;
  }

  get hasEnded(): boolean {
    return this.#splitter.hasEnded;
  }

  /** Waits for the hello. */
  async greeted(): Promise<void> {
    while (this.#hello === undefined) {
      const frames = await this.#next();
      if (frames === undefined) throw this.#error('HLC_TAP_LOST');
      const [frame] = splitFrames(frames);
      if (frame === undefined) continue;
      this.#checked(() => this.#checkGreeting(frame));
      const first = this.#checked(() => new RecordReader().read(frame));
      if (first.type !== 'hello') throw this.#format('the first record is no hello');
      this.#hello = first.content;
      this.#first = frames;
    }
  }

  async *records(): AsyncGenerator<readonly TapRecord[], void> {
    for await (const frames of this.frames()) {
      yield this.#checked(() => splitFrames(frames).map((frame) => this.#reader.read(frame)));
    }
  }

  async *frames(): AsyncGenerator<Buffer, void> {
    const first = this.#first;
    this.#first = undefined;
    for (
      let frames = first ?? (await this.#next());
      frames !== undefined;
      frames = await this.#next()
    ) {
      yield frames;
      if (this.#splitter.hasEnded) return;
    }
    if (!this.#isClosed) throw this.#error('HLC_TAP_LOST');
  }

  needAll(): void {
    if (this.hello.waitMs > 0) this.#bytes.send(Uint8Array.of(needsAll));
  }

  close(): void {
    this.#isClosed = true;
    this.#bytes.close();
  }

  /** The whole frames of the next bytes; undefined at the end of the stream. */
  async #next(): Promise<Buffer | undefined> {
    const chunk = await this.#chunk();
    return chunk && this.#checked(() => this.#splitter.complete(chunk));
  }

  #checked<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof TapFormatError) throw this.#format(error.message);
      throw error;
    }
  }

  async #chunk(): Promise<Buffer | undefined> {
    try {
      return await this.#bytes.next();
    } catch (error) {
      if (this.#isClosed) return undefined;
      if (this.#hello !== undefined) throw this.#error('HLC_TAP_LOST');
      throw connectError(this.#path, error as Error);
    }
  }

  /** Before all else of another version is read, which may look different. */
  #checkGreeting(frame: Buffer): void {
    const { type, content } = readPlain(frame) ?? {};
    if (type === 'end') throw this.#error('HLC_TAP_FULL');
    const { format, version } = (content ?? {}) as { format?: unknown; version?: unknown };
    if (format !== tapFormat) throw this.#format('it is no tap');
    if (version === tapVersion) return;
    const details = { path: this.#path, version: String(version), wanted: tapVersion };
    throw new HlcError('HLC_TAP_VERSION', details);
  }

  #error(code: 'HLC_TAP_LOST' | 'HLC_TAP_FULL'): HlcError {
    return new HlcError(code, { path: this.#path });
  }

  #format(cause: string): HlcError {
    return new HlcError('HLC_TAP_FORMAT', { path: this.#path, cause });
  }
}
