import { createServer, type Server, type Socket } from 'node:net';

import { HlcError } from '../../errors/index.js';
import { LimitedLog } from '../limited-log.js';
import { Refusal } from '../refusal.js';
import { textOf, type SideAddress } from './protocol/config.js';
import { decodeUpdate, encodeUpdate, updateFrames, type Update } from './protocol/update.js';
import { removeStaleSocket } from './stale-socket.js';

/** A simulator of a DANCERS run. */
export type SideName = 'physics' | 'network';

/** What a {@link Side} needs. */
export interface SideOptions {
  readonly name: SideName;
  readonly address: SideAddress;
  /** The side must connect within this time, ms; 0: no limit. */
  readonly connectTimeoutMs: number;
  /** The side must answer within this time, ms; 0: no limit. */
  readonly answerTimeoutMs: number;
  /** Takes sentences for the user. */
  readonly log: (text: string) => void;
}

/** An answer without content; DANCERS skips it, and simulated time stands. */
export const emptyAnswer = Symbol('empty answer');
/** The payload of an answer for the other side, or no answer. */
export type Answer = Uint8Array | typeof emptyAnswer;

const none = new Uint8Array();
const emptyBegin = encodeUpdate({ type: 'begin', payload: none });
/** A side that answers nothing makes no progress. */
const mostEmptyAnswers = 1000;
/** Time for a side to read its CLOSE and to disconnect, ms. */
const closeMs = 1000;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: HlcError) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** One simulator as its coordinator sees it: a server with one connection, and one answer per BEGIN. */
export class Side {
  readonly name: SideName;
  /** Settles when the side is connected. */
  readonly connected: Promise<void>;
  /** Rejects with `HLC_DANCERS_SIDE` when the side is late, breaks a rule or is gone. */
  readonly failed: Promise<never>;
  readonly #options: SideOptions;
  readonly #server: Server;
  readonly #frames = updateFrames();
  readonly #emptyLog: LimitedLog;
  readonly #secondLog: LimitedLog;
  /** Empty answers since the last one with content. */
  #emptyAnswers = 0;
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;
  #failure: HlcError | undefined;
  #closing = false;
  readonly #late: NodeJS.Timeout | undefined;
  #onConnected: () => void = () => undefined;
  #onFailed: (error: HlcError) => void = () => undefined;
  /** The last content and its meaning: a side with nothing to say repeats itself. */
  #last: { readonly content: Uint8Array; readonly update: Update } | undefined;

  private constructor(options: SideOptions) {
    this.name = options.name;
    this.#options = options;
    this.#emptyLog = new LimitedLog(options.log, () => performance.now());
    this.#secondLog = new LimitedLog(options.log, () => performance.now());
    this.#server = createServer({ noDelay: true }, (socket) => this.#onConnection(socket));
    this.connected = new Promise((resolve) => (this.#onConnected = resolve));
    this.failed = new Promise((_, reject) => (this.#onFailed = reject));
    // A side may fail before its caller listens.
    this.failed.catch(() => undefined);
    const { connectTimeoutMs: limitMs } = options;
    const late = () => this.#fail(`it did not connect within ${limitMs} ms`);
    this.#late = limitMs === 0 ? undefined : setTimeout(late, limitMs);
  }

  /**
   * Listens for a side. A socket file without a listener is replaced.
   * @throws HlcError `HLC_DANCERS_LISTEN`.
   */
  static async listen(options: SideOptions): Promise<Side> {
    const { address, name } = options;
    const side = new Side(options);
    try {
      if (address.kind === 'uds') await removeStaleSocket(address.path);
      await new Promise<void>((resolve, reject) => {
        side.#server.once('error', reject);
        side.#server.listen(
          address.kind === 'uds' ? { path: address.path } : { ...address, exclusive: true },
          resolve,
        );
      });
    } catch (error) {
      clearTimeout(side.#late);
      const cause = (error as Error).message;
      throw new HlcError('HLC_DANCERS_LISTEN', { side: name, address: textOf(address), cause });
    }
    return side;
  }

  /**
   * Sends BEGIN with a payload of the other side, and waits for the answer.
   * @throws HlcError `HLC_DANCERS_SIDE` for a side that answers otherwise, not in time, or is gone.
   */
  step(payload: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const socket = this.#socket;
      if (socket === undefined || this.#failure !== undefined) {
        reject(this.#failure ?? this.#error('it is not connected'));
        return;
      }
      const { answerTimeoutMs: limitMs } = this.#options;
      const late = () => this.#fail(`no answer within ${limitMs} ms`);
      const timer = limitMs === 0 ? undefined : setTimeout(late, limitMs);
      this.#waiting = { resolve, reject, timer };
      // Header and content in one write: the original reads each with a single call.
      socket.write(payload.length === 0 ? emptyBegin : encodeUpdate({ type: 'begin', payload }));
    });
  }

  /**
   * The payload of the last answer breaks a rule.
   * @returns the error that `failed` rejects with.
   */
  refuse(cause: string): HlcError {
    this.#fail(cause);
    return this.#failure ?? this.#error(cause);
  }

  /** Sends CLOSE, and waits for a moment until the side has disconnected. May be called twice. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#late);
    clearTimeout(this.#waiting?.timer);
    this.#server.close();
    const socket = this.#socket;
    if (socket === undefined || socket.destroyed) return;
    const timer = setTimeout(() => socket.destroy(), closeMs);
    const gone = new Promise((resolve) => socket.once('close', resolve));
    if (socket.writable) socket.end(encodeUpdate({ type: 'close', payload: none }));
    await gone;
    clearTimeout(timer);
  }

  #onConnection(socket: Socket): void {
    socket.on('error', () => undefined); // "close" follows
    if (this.#socket !== undefined) {
      this.#secondLog.refuse(`a second ${this.name} side is refused; the first one goes on`);
      socket.destroy();
      return;
    }
    this.#socket = socket;
    socket.on('data', (bytes) => this.#onData(bytes));
    socket.on('end', () => this.#onEnd());
    socket.on('close', () => this.#onEnd());
    clearTimeout(this.#late);
    this.#onConnected();
  }

  #onEnd(): void {
    this.#fail(`it closed its connection${this.#frames.inFrame ? ' within a frame' : ''}`);
  }

  #onData(bytes: Uint8Array): void {
    if (this.#closing) return;
    try {
      for (const content of this.#frames.push(bytes)) this.#onFrame(content);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#fail(error.message);
    }
  }

  /** @throws Refusal. */
  #onFrame(content: Uint8Array): void {
    const waiting = this.#waiting;
    if (waiting === undefined) throw new Refusal('it sent a message without a BEGIN before it');
    const answer = content.length === 0 ? this.#empty() : this.#payloadOf(content);
    this.#waiting = undefined;
    clearTimeout(waiting.timer);
    waiting.resolve(answer);
  }

  /** @throws Refusal. */
  #empty(): typeof emptyAnswer {
    this.#emptyLog.refuse(
      `the ${this.name} side answered nothing; its step is skipped and counts no time`,
    );
    if (++this.#emptyAnswers >= mostEmptyAnswers) {
      throw new Refusal(`${mostEmptyAnswers} answers in succession are empty`);
    }
    return emptyAnswer;
  }

  /** @throws Refusal. */
  #payloadOf(content: Uint8Array): Uint8Array {
    if (this.#last === undefined || Buffer.compare(this.#last.content, content) !== 0) {
      this.#last = { content, update: decodeUpdate(content) };
    }
    this.#emptyAnswers = 0;
    const { type, payload } = this.#last.update;
    if (type !== 'end') throw new Refusal(`it answered ${type.toUpperCase()} instead of END`);
    return payload;
  }

  #error(cause: string): HlcError {
    const { name, address } = this.#options;
    return new HlcError('HLC_DANCERS_SIDE', { side: name, address: textOf(address), cause });
  }

  #fail(cause: string): void {
    if (this.#closing || this.#failure !== undefined) return;
    this.#failure = this.#error(cause);
    this.#onFailed(this.#failure);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(waiting?.timer);
    waiting?.reject(this.#failure);
  }
}
