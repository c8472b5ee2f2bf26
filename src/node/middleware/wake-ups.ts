import { earlier, later, type ClockReading } from '../../core/index.js';
import type { Clocks, Pacer, Tick } from '../../dds/index.js';
import { readClocks } from './read-clocks.js';
import type { SampleSession } from '../../tap/index.js';
import type { StartWriter } from './start-writer.js';

/** A stall of the JavaScript thread shorter than this is no more than what every program has. */
const shortestStallNs = 50_000_000n;

/** The thread shows at least this often that it is alive, ns. */
const longestSleepNs = 100_000_000n;

/** This thread stood still when a wake-up is late by more than this, ns. */
const longestDelayNs = 100_000_000n;

/** After that, the session acts on nothing for so long, ns: what came meanwhile is delivered first. */
const catchUpNs = 25_000_000n;

export interface WakeUpsOptions {
  readonly session: SampleSession['session'];
  readonly pacer: Pacer;
  readonly clocks: Clocks;
  /** Null in simulated time, where start signals are written at once. */
  readonly startWriter: Pick<StartWriter, 'wakeAtNs' | 'isAhead' | 'writeDue'> | null;
  /** Gives the session this time. */
  readonly wake: (now: ClockReading) => void;
  /** Called at the end of every wake-up. */
  readonly onAwake: (nowNs: bigint) => void;
  readonly onStall: (stallNs: bigint) => void;
  /** Called last in a wake-up, where no start signal waits for this thread. */
  readonly onIdle: () => void;
}

/** Has the pacer wake the session when that asks for it. */
export class WakeUps {
  readonly #options: WakeUpsOptions;
  /** The instant that the pacer was armed for, ns. */
  #armedNs: bigint | null = null;
  /** The thread wakes at this instant at the latest, ns. */
  #latestNs: bigint;
  /** The session is not given the time before this instant, ns. */
  #notBeforeNs = 0n;
  #isHandlingTick = false;

  constructor(options: WakeUpsOptions) {
    this.#options = options;
    this.#latestNs = options.clocks.monotonicNs() + longestSleepNs;
    options.pacer.onTick((tick) => this.#onTick(tick));
  }

  /** To be called after every event: the session may ask for another instant then. */
  arm(): void {
    if (this.#isHandlingTick) return;
    const wakeAtNs = this.#wakeAtNs;
    if (wakeAtNs === this.#armedNs) return;
    this.#armedNs = wakeAtNs;
    this.#options.pacer.arm(wakeAtNs);
  }

  close(): void {
    this.#options.pacer.disarm();
  }

  get #wakeAtNs(): bigint {
    const { session, startWriter } = this.#options;
    const sessionNs = session.wakeAtNs ?? this.#latestNs;
    const writerNs = startWriter?.wakeAtNs ?? this.#latestNs;
    const nextNs = earlier(this.#latestNs, earlier(sessionNs, writerNs));
    return later(nextNs, this.#notBeforeNs);
  }

  #onTick(tick: Tick): void {
    const { clocks, startWriter, wake, onAwake, onIdle } = this.#options;
    this.#isHandlingTick = true;
    this.#noticeStall(tick);
    const now = readClocks(clocks);
    if (now.monotonicNs - this.#latestNs > longestDelayNs) {
      this.#notBeforeNs = now.monotonicNs + catchUpNs;
    }
    this.#latestNs = now.monotonicNs + longestSleepNs;
    if (now.monotonicNs >= this.#notBeforeNs) {
      startWriter?.writeDue(now.monotonicNs);
      // What has gone out meanwhile comes with an event of its own, and its own time.
      if (startWriter?.isAhead !== true) wake(now);
    }
    onAwake(now.monotonicNs);
    this.#isHandlingTick = false;
    // The pacer forgets an instant that has come.
    this.#armedNs = null;
    this.arm();
    if (startWriter?.wakeAtNs === null && !startWriter.isAhead) onIdle();
  }

  /** The pacer's thread was awake in time; this one was busy with something else. */
  #noticeStall({ wokeAtNs }: Tick): void {
    const stallNs = this.#options.clocks.monotonicNs() - wokeAtNs;
    if (stallNs >= shortestStallNs) this.#options.onStall(stallNs);
  }
}
