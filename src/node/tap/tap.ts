import { createServer, type Server, type Socket } from 'node:net';
import { toMs, type ClockReading } from '../../core/index.js';
import {
  checkSocketPath,
  listen,
  prepareFolder,
  type RemoteAgentStatus,
} from '../../remote/index.js';
import {
  FrameWriter,
  keptPriority,
  needsAll,
  plainSettings,
  tapFormat,
  tapVersion,
  type SessionSettings,
  type TapHello,
  type TapSummary,
} from '../../tap/index.js';
import type { NodeEvent, PerformedEffect, SessionObserver } from '../observers/session-observer.js';
import { TapClient } from './tap-client.js';
import { awaitReaders } from './waiting-readers.js';

/**
 * Frames are written together: this long after the first of them, ms, or when there are this many bytes.
 * The readers want a core then. In real time a start signal therefore sets their time anew: to half its
 * period after it, at most the second number, ms, so that neither it nor the next one waits for that core.
 * So a frame waits for 35 ms at most, and periods below 35 ms have one write each.
 */
const batchMs = 25;
const longestAfterStartMs = 10;
const batchBytes = 65_536;

/** Readers at the same time. */
const mostReaders = 8;

/** State and counts are written this often, ms. */
const summaryMs = 1000;

/** Remote agents are written at most this often, ms. */
const remoteAgentsMs = 100;

/** Entries of the log that a reader gets which comes later. */
const keptLogLines = 256;
const longestLogLine = 16_384;

/** The end of a run waits for readers that go on reading this long at most, ms. */
const endMs = 5000;

/** Of what a slow reader loses last. */
const eventPriority = 2;

export interface TapOptions {
  /** Of the socket, at most 107 bytes. */
  readonly path: string;
  readonly hello: () => Omit<TapHello, 'format' | 'version' | 'waitMs'>;
  /** The longest wait of time for readers that must have everything, ms; 0 in real time. */
  readonly waitMs: number;
  /** State and counts now. */
  readonly summary: () => TapSummary;
  /** The vehicles of other simulations now. */
  readonly remoteAgents: () => readonly RemoteAgentStatus[];
  /** Called when a reader that must have everything has not caught up in time; once for each such reader. */
  readonly onSlowReader: () => void;
  /** Called once, when a fault has closed the tap. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * The tap: a socket that gives up to eight readers all that the sessions take in and do. Without a
 * reader nothing is encoded. A reader that is slow or stopped loses records and delays nothing, but for
 * simulated time, which waits a bounded time for a reader that must have everything. A
 * fault in it closes it, and never reaches the session.
 */
export class Tap implements SessionObserver {
  readonly name = 'tap';
  readonly #options: TapOptions;
  readonly #server: Server;
  readonly #clients = new Map<Socket, TapClient>();
  readonly #frames = new FrameWriter();
  readonly #logLines: string[] = [];
  #session: { readonly settings: SessionSettings; readonly now: ClockReading } | undefined;
  #nextEvent = 0n;
  /** From a start signal in real time to the writing of frames, ms. */
  #afterStartMs: number | undefined;
  #hasFailed = false;
  /** A reader was given remote agents, and no frame without any has followed. */
  #hasRemoteAgents = false;
  #remoteAgentsAt = -Infinity;
  #hold: Promise<void> | undefined;
  readonly #named = new WeakSet<TapClient>();
  #batchTimer: NodeJS.Timeout | undefined;
  #summaryTimer: NodeJS.Timeout | undefined;

  /** It does not listen yet. */
  constructor(options: TapOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#guarded(() => this.#connected(socket)));
    // Those above are closed at once and get no reason.
    this.#server.maxConnections = 2 * mostReaders;
  }

  /**
   * Settles when the readers that wait for it are connected.
   * @throws HlcError `HLC_CONTROL_BUSY`, `HLC_CONTROL_SOCKET`.
   */
  async listen(): Promise<void> {
    const { path } = this.#options;
    checkSocketPath(path);
    await prepareFolder(path);
    await listen(this.#server, path);
    this.#server.on('error', (fault) => this.#fail(fault));
    await awaitReaders(path);
  }

  get wantsSamples(): boolean {
    return this.#clients.size > 0;
  }

  begun(settings: SessionSettings, now: ClockReading): void {
    this.#session = { settings, now };
    this.#nextEvent = 0n;
    const amidPeriodMs = toMs(settings.config.periodNs) / 2;
    this.#afterStartMs =
      settings.mode === 'real' ? Math.min(amidPeriodMs, longestAfterStartMs) : undefined;
    this.#add(() => this.#writeSession(this.#frames));
  }

  handled(event: NodeEvent, effects: readonly PerformedEffect[], at: ClockReading): void {
    const number = this.#nextEvent++;
    if (this.#clients.size === 0) return;
    this.#add(() => this.#frames.step(number, at, event, effects));
    if (event.kind !== 'startSent' || this.#afterStartMs === undefined) return;
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.#flushAfter(this.#afterStartMs);
  }

  timeHold(): Promise<void> | undefined {
    if (this.#hold !== undefined) return this.#hold;
    const behind = [...this.#clients.values()].filter(({ isBehind }) => isBehind);
    if (behind.length > 0) {
      this.#hold = this.#waitFor(behind).finally(() => (this.#hold = undefined));
    }
    return this.#hold;
  }

  stalled(stallNs: bigint): void {
    this.#add(() => this.#frames.plain('stalled', { stallNs }, eventPriority));
  }

  /** A list of remote agents came. One that follows too soon is written with the next summary. */
  remoteAgentsChanged(): void {
    if (performance.now() - this.#remoteAgentsAt < remoteAgentsMs) return;
    this.#add(() => this.#writeRemoteAgents());
  }

  /** An entry of the log, as a line of JSON. */
  readonly logged = (line: string): void => {
    if (line.length > longestLogLine) return;
    this.#logLines.push(line);
    if (this.#logLines.length > keptLogLines) this.#logLines.shift();
    this.#add(() => this.#frames.plain('log', JSON.parse(line), eventPriority));
  };

  /** Writes the last counts, then ends all readers; one that reads nothing for half a second is cut off. */
  async close(): Promise<void> {
    clearInterval(this.#summaryTimer);
    // First: a reader that has its end already looks for the next middleware, while others are still read.
    const closed = this.#server.listening
      ? new Promise((resolve) => this.#server.close(resolve))
      : undefined;
    this.#guarded(() => {
      if (this.#clients.size === 0) return;
      this.#writeSummary(this.#frames);
      this.#frames.plain('end', { reason: 'closed' }, keptPriority);
      this.#flush();
    });
    const ends = [...this.#clients.values()].map((client) => client.end());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, endMs)));
    await Promise.race([Promise.all(ends), late]);
    clearTimeout(timer);
    for (const socket of this.#clients.keys()) socket.destroy();
    await closed;
  }

  #connected(socket: Socket): void {
    socket.on('error', () => undefined);
    if (this.#clients.size >= mostReaders) {
      const frames = new FrameWriter();
      frames.plain('end', { reason: 'full' }, keptPriority);
      // The reader may keep its half open.
      socket.once('finish', () => socket.destroy());
      socket.resume();
      socket.end(frames.take());
      return;
    }
    // The frames so far are for the readers before.
    this.#flush();
    const client = new TapClient(socket);
    this.#clients.set(socket, client);
    socket.on('close', () => this.#gone(socket));
    socket.on('data', (data) => this.#requested(data, client, socket));
    client.send(this.#greeting());
    const summarize = () => {
      this.#writeSummary(this.#frames);
      this.#writeRemoteAgents();
      this.#flush();
    };
    this.#summaryTimer ??= setInterval(() => this.#guarded(summarize), summaryMs).unref();
  }

  /** A reader has nothing else to say. */
  #requested(data: Buffer, client: TapClient, socket: Socket): void {
    if (this.#options.waitMs > 0 && data.length === 1 && data[0] === needsAll) client.needAll();
    else socket.destroy();
  }

  /** Settles when these readers have caught up; those that have not in time lose records from now on. */
  async #waitFor(behind: readonly TapClient[]): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.waitMs).unref();
    });
    await Promise.race([Promise.all(behind.map((client) => client.caughtUp())), late]);
    clearTimeout(timer);
    for (const client of behind) {
      if (!client.isBehind) continue;
      client.giveUp();
      if (this.#named.has(client)) continue;
      this.#named.add(client);
      this.#options.onSlowReader();
    }
  }

  #gone(socket: Socket): void {
    this.#clients.delete(socket);
    if (this.#clients.size > 0) return;
    clearInterval(this.#summaryTimer);
    clearTimeout(this.#batchTimer);
    this.#summaryTimer = undefined;
    this.#batchTimer = undefined;
    this.#frames.take();
  }

  #greeting(): Buffer {
    const frames = new FrameWriter();
    const { waitMs } = this.#options;
    const hello = { format: tapFormat, version: tapVersion, ...this.#options.hello(), waitMs };
    frames.plain('hello', hello, keptPriority);
    if (this.#session !== undefined) this.#writeSession(frames);
    for (const line of this.#logLines) frames.plain('log', JSON.parse(line), eventPriority);
    this.#writeSummary(frames);
    const agents = this.#options.remoteAgents();
    if (agents.length > 0) {
      this.#hasRemoteAgents = true;
      frames.plain('remoteAgents', { agents }, eventPriority);
    }
    return frames.take();
  }

  #writeSession(frames: FrameWriter): void {
    if (this.#session === undefined) return;
    const { settings, now } = this.#session;
    const content = { settings: plainSettings(settings), now, nextEvent: this.#nextEvent };
    frames.plain('session', content, keptPriority);
  }

  #writeSummary(frames: FrameWriter): void {
    frames.plain('summary', this.#options.summary(), eventPriority);
  }

  /** A frame has all of them, so that the next one makes good a lost one. */
  #writeRemoteAgents(): void {
    const agents = this.#options.remoteAgents();
    if (agents.length === 0 && !this.#hasRemoteAgents) return;
    this.#hasRemoteAgents = agents.length > 0;
    this.#remoteAgentsAt = performance.now();
    this.#frames.plain('remoteAgents', { agents }, eventPriority);
  }

  /** Adds frames for the readers, which are written now, or with those of the next milliseconds. */
  #add(frames: () => void): void {
    if (this.#clients.size === 0) return;
    this.#guarded(() => {
      frames();
      if (this.#frames.length >= batchBytes) this.#flush();
      else this.#flushAfter(batchMs);
    });
  }

  /** Frames are written after this time, ms, unless a time is set already. */
  #flushAfter(delayMs: number): void {
    this.#batchTimer ??= setTimeout(() => this.#guarded(() => this.#flush()), delayMs).unref();
  }

  #guarded(call: () => void): void {
    try {
      call();
    } catch (fault) {
      this.#fail(fault);
    }
  }

  #fail(fault: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#server.close();
    for (const socket of this.#clients.keys()) {
      socket.destroy();
      this.#gone(socket);
    }
    this.#options.onFault(fault);
  }

  #flush(): void {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    if (this.#frames.length === 0) return;
    const frames = this.#frames.take();
    for (const client of this.#clients.values()) client.send(frames);
  }
}
