import { earlier, type ClockReading } from '../../core/index.js';
import type { Clocks, Pacer, Tick } from '../../dds/index.js';
import { readClocks } from './read-clocks.js';
import type { SampleSession } from '../../tap/index.js';
import type { StartWriter } from './start-writer.js';

/** A stall of the JavaScript thread shorter than this is no more than what every program has. */
const shortestStallNs = 50_000_000n;

/** The thread shows at least this often that it is alive, ns. */
const longestSleepNs = 100_000_000n;

export interface WakeUpsOptions {
  readonly session: SampleSession['session'];
  readonly pacer: Pacer;
  readonly clocks: Clocks;
  /** Null in simulated time, where start signals are written at once. */
  readonly startWriter: StartWriter | null;
  /** Gives the session this time. */
  readonly wake: (now: ClockReading) => void;
  /** Called at the end of every wake-up. */
  readonly onAwake: (nowNs: bigint) => void;
  readonly onStall: (stallNs: bigint) => void;
}

/** Has the pacer wake the session when that asks for it. */
export class WakeUps {
  readonly #options: WakeUpsOptions;
  /** The instant that the pacer sleeps to, ns. */
  #armedNs: bigint | null = null;

  constructor(options: WakeUpsOptions) {
    this.#options = options;
    options.pacer.onTick((tick) => this.#onTick(tick));
  }

  /**
   * To be called after every event. The session may be woken early, so the pacer only learns of
   * earlier instants, not of later ones.
   */
  arm(): void {
    const wakeAtNs = this.#wakeAtNs;
    if (this.#armedNs !== null && this.#armedNs <= wakeAtNs) return;
    this.#armedNs = wakeAtNs;
    this.#options.pacer.arm(wakeAtNs);
  }

  close(): void {
    this.#options.pacer.disarm();
  }

  get #wakeAtNs(): bigint {
    const { session, startWriter, clocks } = this.#options;
    let wakeNs = this.#armedNs ?? clocks.monotonicNs() + longestSleepNs;
    for (const atNs of [session.wakeAtNs, startWriter?.wakeAtNs ?? null]) {
      if (atNs !== null) wakeNs = earlier(wakeNs, atNs);
    }
    return wakeNs;
  }

  #onTick(tick: Tick): void {
    const { clocks, startWriter, wake, onAwake } = this.#options;
    // Nothing is armed until this tick is handled.
    this.#armedNs = 0n;
    this.#noticeStall(tick);
    const now = readClocks(clocks);
    startWriter?.writeDue(now.monotonicNs);
    // What has gone out meanwhile comes with an event of its own, and its own time.
    if (startWriter?.isAhead !== true) wake(now);
    onAwake(now.monotonicNs);
    this.#armedNs = null;
    this.arm();
  }

  /** The pacer's thread was awake in time; this one was busy with something else. */
  #noticeStall({ wokeAtNs }: Tick): void {
    const stallNs = this.#options.clocks.monotonicNs() - wokeAtNs;
    if (stallNs >= shortestStallNs) this.#options.onStall(stallNs);
  }
}
