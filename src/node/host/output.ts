import { write as writeFile } from 'node:fs';

/** Writes bytes to a file descriptor, off this thread; as `write` of `node:fs`. */
export type WriteBytes = (
  fd: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: null,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

/** Texts that could not be written. */
export interface LostTexts {
  readonly count: number;
  /** Of the last one. */
  readonly cause: string;
}

/** Texts that wait to be written; more are lost. */
const mostWaitingBytes = 4 * 1024 * 1024;
const mostBytesAtOnce = 64 * 1024;
/** A terminal or pipe that takes nothing at the moment is tried again after this time, ms. */
const retryMs = 20;

interface Batch {
  readonly texts: readonly string[];
  readonly bytes: Uint8Array;
  written: number;
}

/**
 * Standard output or standard error, written in order by the thread pool: a terminal, pipe or disk
 * that takes no bytes delays nothing on this thread. A failed write never throws: its texts are
 * lost and counted, and the next text is tried.
 */
export class Output {
  #waiting: string[] = [];
  #waitingBytes = 0;
  #writing = false;
  /** The last write stopped within a line. */
  #cut = false;
  #lost = 0;
  #lostSinceRecovery = 0;
  #cause = '';
  #onIdle: (() => void)[] = [];

  /** @param onRecovered texts were lost since the last call, and a write has succeeded now. */
  constructor(
    private readonly fd: 1 | 2,
    private readonly onRecovered: (lost: LostTexts) => void,
    private readonly writeBytes: WriteBytes = writeFile,
  ) {}

  /** How many texts were lost so far. */
  get lost(): number {
    return this.#lost;
  }

  /** True while a text waits to be written. */
  get busy(): boolean {
    return this.#writing;
  }

  /** @param text a line with its line feed, or a drawing; written whole or lost. */
  write(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#waitingBytes + bytes > mostWaitingBytes) {
      this.#lose(1, 'it took no bytes for too long');
      return;
    }
    this.#waiting.push(text);
    this.#waitingBytes += bytes;
    if (!this.#writing) this.#next();
  }

  /**
   * Settles when nothing waits to be written, or after this time, ms.
   * @returns false when the time is over.
   */
  flush(withinMs: number): Promise<boolean> {
    if (!this.#writing) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), withinMs);
      this.#onIdle.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #next(): void {
    this.#writing = this.#waiting.length > 0;
    if (!this.#writing) {
      for (const onIdle of this.#onIdle.splice(0)) onIdle();
      return;
    }
    const texts = this.#take();
    const bytes = Buffer.from((this.#cut ? '\n' : '') + texts.join(''));
    this.#put({ texts, bytes, written: 0 });
  }

  /** The first texts that wait, at least one. */
  #take(): string[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((text) => {
      bytes += Buffer.byteLength(text);
      return bytes > mostBytesAtOnce;
    });
    const texts = this.#waiting.splice(0, end < 0 ? this.#waiting.length : Math.max(1, end));
    for (const text of texts) this.#waitingBytes -= Buffer.byteLength(text);
    return texts;
  }

  #put(batch: Batch): void {
    const { bytes, written } = batch;
    const length = bytes.length - written;
    this.writeBytes(this.fd, bytes, written, length, null, (error, count) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#put(batch), retryMs).unref();
        return;
      }
      if (error === null) batch.written += count;
      if (error !== null || count === 0) this.#failed(batch, error?.message ?? 'nothing written');
      else if (batch.written < bytes.length) this.#put(batch);
      else this.#succeeded();
    });
  }

  #succeeded(): void {
    this.#cut = false;
    const count = this.#lostSinceRecovery;
    this.#lostSinceRecovery = 0;
    if (count > 0) this.onRecovered({ count, cause: this.#cause });
    this.#next();
  }

  #failed({ texts, written }: Batch, cause: string): void {
    let end = this.#cut ? 1 : 0;
    let cut = written !== end;
    let lost = 0;
    for (const text of texts) {
      end += Buffer.byteLength(text);
      if (end > written) lost++;
      if (end === written) cut = false;
    }
    if (written > 0) this.#cut = cut;
    this.#lose(lost, cause);
    this.#next();
  }

  #lose(count: number, cause: string): void {
    this.#lost += count;
    this.#lostSinceRecovery += count;
    this.#cause = cause;
  }
}
