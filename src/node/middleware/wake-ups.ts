import { earlier, later, type ClockReading } from '../../core/index.js';
import type { Clocks, Pacer, Tick } from '../../dds/index.js';
import { readClocks } from './read-clocks.js';
import type { SampleSession } from '../../tap/index.js';
import type { StartWriter } from './start-writer.js';

/** A stall of the JavaScript thread shorter than this is no more than what every program has. */
const shortestStallNs = 50_000_000n;

/** The thread sleeps no longer than this, ns, and no longer than this part of the limit of a hang. */
const longestSleepNs = 100_000_000n;
const wakesPerHang = 4n;

/** This thread stood still when a wake-up is late by more than this, ns. */
const longestDelayNs = 100_000_000n;

/**
 * After a late wake-up the session is not given the time for this long, ns: what came meanwhile is delivered
 * first. A late wake-up during this wait does not prolong it: a thread that is always late would stop no vehicle.
 */
const catchUpNs = 25_000_000n;

/**
 * The pacer may be ahead of this thread for this long, ns. A thread that works off the first commands of many
 * vehicles may need 0.1 s for that, and must not judge the controllers before.
 */
const longestAheadNs = 250_000_000n;

export interface WakeUpsOptions {
  readonly session: SampleSession['session'];
  readonly pacer: Pacer;
  readonly clocks: Clocks;
  /** Null in simulated time, where start signals are written at once. */
  readonly startWriter: Pick<StartWriter, 'wakeAtNs' | 'isAhead' | 'writeDue' | 'cancel'> | null;
  /** Gives the session this time. */
  readonly wake: (now: ClockReading) => void;
  /** Called first in every wake-up. */
  readonly onTick: () => void;
  /** Called before `wake`: what came during a stall is delivered by now. */
  readonly beforeWake: () => void;
  /**
   * Called at the end of every wake-up.
   * @param isServed the session was given the time, or is held on purpose: a thread that stalls again and again is
   *   awake without that.
   */
  readonly onAwake: (nowNs: bigint, isServed: boolean) => void;
  readonly onStall: (stallNs: bigint) => void;
  /** A hang of this thread counts from this time on, ns; null: never. */
  readonly hangLimitNs: bigint | null;
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
  /** Nor before this one, ns, since something else is waited for; the thread goes on waking. */
  #heldUntilNs = 0n;
  /** The first wake-up since then, ns, in which the session was not given the time; null: it was. */
  #owedSinceNs: bigint | null = null;
  #isHandlingTick = false;
  /** A tick that was under way then comes when the endpoints are closed. */
  #isClosed = false;
  /** The thread shows at least this often that it is alive, ns. */
  readonly #sleepNs: bigint;

  constructor(options: WakeUpsOptions) {
    this.#options = options;
    const { hangLimitNs, clocks } = options;
    this.#sleepNs = earlier(
      longestSleepNs,
      (hangLimitNs ?? longestSleepNs * wakesPerHang) / wakesPerHang,
    );
    this.#latestNs = clocks.monotonicNs() + this.#sleepNs;
    options.pacer.onTick((tick) => this.#onTick(tick));
  }

  /** To be called after every event: the session may ask for another instant then. */
  arm(): void {
    if (this.#isHandlingTick || this.#isClosed) return;
    const wakeAtNs = this.#wakeAtNs;
    if (wakeAtNs === this.#armedNs) return;
    this.#armedNs = wakeAtNs;
    this.#options.pacer.arm(wakeAtNs);
  }

  /**
   * True after a long stall of this thread, until what came meanwhile is delivered. An event may come before
   * the tick that notices the stall.
   * @param nowNs monotonic, ns.
   */
  isCatchingUp(nowNs: bigint): boolean {
    return nowNs < later(this.#notBeforeNs, this.#heldUntilNs) || this.#isLate(nowNs);
  }

  /** The session is not given the time for this long, ns. That is no hang: the thread counts as awake meanwhile. */
  hold(ns: bigint): void {
    this.#heldUntilNs = later(this.#heldUntilNs, this.#options.clocks.monotonicNs() + ns);
    this.arm();
  }

  close(): void {
    this.#isClosed = true;
    this.#options.pacer.disarm();
  }

  #isLate(nowNs: bigint): boolean {
    return nowNs - this.#latestNs > longestDelayNs;
  }

  get #wakeAtNs(): bigint {
    const { session, startWriter } = this.#options;
    const sessionNs = session.wakeAtNs ?? this.#latestNs;
    const writerNs = startWriter?.wakeAtNs ?? this.#latestNs;
    const nextNs = later(earlier(sessionNs, writerNs), this.#heldUntilNs);
    return later(earlier(this.#latestNs, nextNs), this.#notBeforeNs);
  }

  #onTick(tick: Tick): void {
    if (this.#isClosed) return;
    const { clocks, startWriter, wake, onTick, beforeWake, onAwake, onIdle } = this.#options;
    this.#isHandlingTick = true;
    this.#noticeStall(tick);
    onTick();
    const now = readClocks(clocks);
    const { monotonicNs } = now;
    this.#owedSinceNs ??= monotonicNs;
    const hasWaited = this.#notBeforeNs > this.#owedSinceNs;
    if (this.#isLate(monotonicNs) && !hasWaited) this.#notBeforeNs = monotonicNs + catchUpNs;
    this.#latestNs = monotonicNs + this.#sleepNs;
    const isHeld = monotonicNs < this.#heldUntilNs;
    if (monotonicNs >= this.#notBeforeNs && !isHeld) {
      beforeWake();
      startWriter?.writeDue(monotonicNs);
      if (startWriter?.isAhead === true) {
        // What has gone out meanwhile comes with an event of its own, and its own time. Where that never
        // ends, since this thread is slower than the pacer, nothing more may go out.
        if (monotonicNs - this.#owedSinceNs >= longestAheadNs) startWriter.cancel();
      } else {
        this.#owedSinceNs = null;
        wake(now);
      }
    }
    onAwake(monotonicNs, this.#owedSinceNs === null || isHeld);
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
