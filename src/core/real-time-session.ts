import { BoundedWait } from './bounded-wait.js';
import { type ClockReading, earlier, later, NS_PER_S } from './clock-reading.js';
import type { Command } from './command.js';
import { type ControllerReport, Controllers } from './controllers.js';
import type { Effect, EffectSink, EndReason, PlainEffect, SendStartSignal } from './effects.js';
import {
  type ExpectedStart,
  expectedStart,
  idlePacing,
  nextStart,
  pace,
  type PaceResult,
  type Pacing,
  planFirst,
  type Start,
} from './pacing.js';
import { realTimeGrid } from './period-grid.js';
import type { RealTimeConfig } from './real-time-config.js';
import type { ReadySignalEvent, SessionEvent } from './session-events.js';
import type { Handlers, Session } from './session.js';
import type { Moment } from './supervision/supervision.js';
import { STOP_SYMBOL } from './system-trigger.js';
import { Worlds } from './worlds.js';

/** What a real-time session reacts to. */
export type RealTimeEvent<S, O, C extends Command> = SessionEvent<S, O, C>;

/** Phases of a real-time session, in their order. */
export type RealTimePhase = 'waitingForControllers' | 'waitingForStart' | 'running' | 'ended';

type Table<S, O, C extends Command> = Handlers<RealTimeEvent<S, O, C>, RealTimePhase>;

/** What is waited for is named this often, and the lab is told again that we are ready. */
const REPEAT_NS = 2n * NS_PER_S;

/**
 * The middleware in real time: waits for the controllers, then (if wanted) for the lab's start,
 * then sends a start signal at every time of the grid and passes the commands on. Hand over
 * received samples before you wake it.
 *
 * The wall-clock time of other events is taken from their monotonic instant and the last wake, so
 * a step of the wall clock is noticed at the next wake: within a period, at most a second.
 */
export class RealTimeSession<S, O, C extends Command> implements Session<S, O, C> {
  readonly #config: RealTimeConfig;
  readonly #controllers: Controllers<C>;
  readonly #worlds: Worlds<S, O>;
  #phase: RealTimePhase = 'waitingForControllers';
  #effects: Effect<S, O, C>[] = [];
  #pacing: Pacing;
  #paceAtNs: bigint;
  readonly #readyWait: BoundedWait;
  readonly #startWait: BoundedWait;
  #judgeAtNs = 0n;
  /** A start trigger that came before all controllers were ready. */
  #heldTriggerNs: bigint | null = null;
  #startSignals = 0;

  /**
   * @param now both clocks, now.
   * @throws HlcError `HLC_VEHICLE_IDS`, `HLC_TIME_PERIOD` or `HLC_TIME_OFFSET`.
   */
  constructor(config: RealTimeConfig, now: ClockReading) {
    this.#config = config;
    this.#controllers = new Controllers(config);
    this.#worlds = new Worlds(config.activeVehicleIds);
    const grid = realTimeGrid(config.periodNs, config.offsetNs);
    this.#pacing = idlePacing(grid, now, config.overrun);
    this.#readyWait = new BoundedWait(config.readyTimeoutNs, REPEAT_NS);
    this.#startWait = new BoundedWait(config.startTimeoutNs, REPEAT_NS);
    this.#readyWait.start(now.monotonicNs);
    this.#paceAtNs = now.monotonicNs;
  }

  get phase(): RealTimePhase {
    return this.#phase;
  }

  get wakeAtNs(): bigint | null {
    switch (this.#phase) {
      case 'ended':
        return null;
      case 'running':
        return this.#controllers.replies.judgementDue
          ? earlier(this.#paceAtNs, this.#judgeAtNs)
          : this.#paceAtNs;
      case 'waitingForControllers':
        return earlier(this.#paceAtNs, this.#readyWait.wakeAtNs);
      case 'waitingForStart':
        return earlier(this.#paceAtNs, this.#startWait.wakeAtNs);
    }
  }

  get startSignals(): number {
    return this.#startSignals;
  }

  get droppedSamples(): number {
    return this.#worlds.dropped;
  }

  /** How many start signals are left; infinite without a number of periods. */
  get startsLeft(): number {
    const { periods } = this.#config;
    return periods === null ? Number.POSITIVE_INFINITY : periods - this.#startSignals;
  }

  /** When the next start signal is due; null while none is expected. */
  get expectedStart(): ExpectedStart | null {
    if (this.#phase !== 'running' || this.startsLeft === 0) return null;
    return expectedStart(this.#pacing);
  }

  /** The next start signal as it would be with what is known now; null while none is expected. */
  expectedSignal(): SendStartSignal<S, O> | null {
    const expected = this.expectedStart;
    if (expected === null) return null;
    return this.#worlds.startSignal(expected.tNowNs, this.#config.periodNs, 0n);
  }

  controllers(): ControllerReport[] {
    return this.#controllers.report();
  }

  handle(event: RealTimeEvent<S, O, C>): readonly Effect<S, O, C>[] {
    this.#effects = [];
    // Kind and handler belong together; the compiler cannot see that through the union.
    const handler = this.#table[this.#phase][event.kind] as (e: typeof event) => RealTimePhase;
    this.#phase = handler(event);
    return this.#effects;
  }

  /** In every phase but the last. */
  readonly #always = {
    vehicleState: ({ sample, speedMps, receivedAtNs }) => {
      const { supervision } = this.#controllers;
      this.#worlds.putState(sample, this.#horizon(receivedAtNs));
      supervision.vehicleState(sample.vehicleId, speedMps, receivedAtNs);
      return this.#phase;
    },
    vehicleObservation: ({ sample, receivedAtNs }) => {
      this.#worlds.putObservation(sample, this.#horizon(receivedAtNs));
      return this.#phase;
    },
    command: (event) => {
      this.#controllers.command(event, this.#realtimeAt(event.receivedAtNs), this.#effects);
      return this.#phase;
    },
    readySignal: (event) => {
      this.#signIn(event);
      return this.#phase;
    },
    writerChanged: (event) => {
      this.#controllers.writerChanged(event, this.#momentAt(event.atNs), this.#effects);
      return this.#phase;
    },
    resume: ({ ids }) => {
      this.#controllers.resume(ids, this.#effects);
      return this.#phase;
    },
    stop: ({ atNs }) => this.#end('stopped', atNs),
  } satisfies Partial<Table<S, O, C>>;

  /** (phase, event) → (phase, effects). */
  readonly #table: Readonly<Record<RealTimePhase, Table<S, O, C>>> = {
    waitingForControllers: {
      ...this.#always,
      readySignal: (event) => {
        this.#signIn(event);
        const { complete } = this.#controllers.readiness;
        return complete ? this.#allReady(event.receivedAtNs) : this.#phase;
      },
      systemTrigger: ({ nextStartNs, receivedAtNs }) => {
        if (nextStartNs === STOP_SYMBOL) return this.#end('stopTrigger', receivedAtNs);
        this.#heldTriggerNs = nextStartNs;
        return this.#phase;
      },
      wake: ({ now }) => {
        this.#pace(now, this.#effects);
        const { name, timedOut, waitedNs } = this.#readyWait.check(now.monotonicNs);
        if (name || timedOut) {
          const ids = this.#controllers.readiness.missing();
          this.#effects.push({
            kind: 'controllersMissing',
            ids,
            awaited: 'readySignal',
            waitedNs,
          });
        }
        return timedOut ? this.#end('readyTimeout', now.monotonicNs) : this.#phase;
      },
    },
    waitingForStart: {
      ...this.#always,
      systemTrigger: ({ nextStartNs, receivedAtNs }) =>
        nextStartNs === STOP_SYMBOL
          ? this.#end('stopTrigger', receivedAtNs)
          : this.#begin(nextStartNs, receivedAtNs),
      writerChanged: (event) => {
        this.#always.writerChanged(event);
        if (this.#controllers.readiness.complete) return this.#phase;
        this.#readyWait.start(event.atNs);
        return 'waitingForControllers';
      },
      wake: ({ now }) => {
        this.#pace(now, this.#effects);
        const { name, timedOut, waitedNs } = this.#startWait.check(now.monotonicNs);
        if (name) this.#effects.push({ kind: 'signIn', nextStartNs: 0n });
        if (name || timedOut) {
          this.#effects.push({ kind: 'triggerMissing', wantedNs: null, waitedNs });
        }
        return timedOut ? this.#end('startTimeout', now.monotonicNs) : this.#phase;
      },
    },
    running: {
      ...this.#always,
      systemTrigger: ({ nextStartNs, receivedAtNs }) => {
        if (nextStartNs === STOP_SYMBOL) return this.#end('stopTrigger', receivedAtNs);
        // Whoever starts the lab again lets the stopped controllers go on.
        this.#controllers.resume('all', this.#effects);
        return this.#phase;
      },
      wake: ({ now }) => this.#tick(now),
    },
    ended: {
      vehicleState: () => 'ended',
      vehicleObservation: () => 'ended',
      command: () => 'ended',
      readySignal: () => 'ended',
      writerChanged: () => 'ended',
      resume: () => 'ended',
      systemTrigger: () => 'ended',
      wake: () => 'ended',
      stop: () => 'ended',
    },
  };

  #signIn(event: ReadySignalEvent): void {
    const signedIn = this.#controllers.readySignal(event, this.#effects);
    if (signedIn?.admitted === true && this.#config.listAdmitted) this.#worlds.add(signedIn.id);
  }

  #allReady(nowNs: bigint): RealTimePhase {
    this.#effects.push({ kind: 'allReady' });
    if (!this.#config.waitForStart) return this.#begin(0n, nowNs);
    this.#effects.push({ kind: 'signIn', nextStartNs: 0n });
    if (this.#heldTriggerNs !== null) return this.#begin(this.#heldTriggerNs, nowNs);
    this.#startWait.start(nowNs);
    return 'waitingForStart';
  }

  /** Plans the first start at the first grid time not before `earliestNs` and not past. */
  #begin(earliestNs: bigint, nowNs: bigint): RealTimePhase {
    const realtimeNs = this.#realtimeAt(nowNs);
    this.#pacing = planFirst(this.#pacing, later(earliestNs, realtimeNs));
    this.#paceAtNs = nowNs;
    return 'running';
  }

  #tick(now: ClockReading): RealTimePhase {
    const { replies } = this.#controllers;
    const told: PlainEffect<C>[] = [];
    const { start, halted } = this.#pace(now, told);
    const moment = { steadyNs: now.monotonicNs, stampNs: now.realtimeNs };
    if (start !== null) {
      this.#controllers.judge(moment, told);
      if (this.#startSignals === this.#config.periods) replies.close(now.monotonicNs);
      else this.#start(start, moment, told);
      this.#judgeAtNs = now.monotonicNs + this.#config.judgeDelayNs;
    }
    if (now.monotonicNs >= this.#judgeAtNs) this.#controllers.judge(moment, told);
    this.#effects.push(...told);
    if (halted) return this.#end('overrun', now.monotonicNs);
    const over = this.#startSignals === this.#config.periods && !replies.isOpen;
    return over && !replies.judgementDue ? this.#end('periodsDone', now.monotonicNs) : this.#phase;
  }

  #start(start: Start, now: Moment, told: PlainEffect<C>[]): void {
    const { tNowNs, latenessNs } = start;
    const controllers = this.#controllers;
    this.#effects.push(this.#worlds.startSignal(tNowNs, this.#config.periodNs, latenessNs));
    // The misses of one that is out are of interest only where nothing else follows from them.
    const asked = (id: number): boolean =>
      controllers.takesPart(id) || controllers.supervision.isOnlyLogged(id);
    controllers.start(tNowNs, now.steadyNs, now, asked, told);
    this.#startSignals++;
  }

  /** Renews the relation of the clocks, and says whether a start is due. */
  #pace(now: ClockReading, told: EffectSink<C>): PaceResult {
    const result = pace(this.#pacing, now);
    this.#pacing = result.pacing;
    this.#paceAtNs = result.wakeAtNs;
    if (result.clockStepNs !== null) {
      this.#controllers.clockStepped(result.clockStepNs);
      this.#worlds.clockStepped(result.clockStepNs);
      told.push({ kind: 'clockStepped', stepNs: result.clockStepNs });
    }
    if (result.skipped > 0) told.push({ kind: 'periodsSkipped', count: result.skipped });
    return result;
  }

  #end(reason: EndReason, atNs: bigint): RealTimePhase {
    this.#controllers.end(reason, this.#momentAt(atNs), this.#effects);
    return 'ended';
  }

  #momentAt(monotonicNs: bigint): Moment {
    return { steadyNs: monotonicNs, stampNs: this.#realtimeAt(monotonicNs) };
  }

  #realtimeAt(monotonicNs: bigint): bigint {
    return monotonicNs + this.#pacing.aheadNs;
  }

  /** No start signal of an earlier time than this is made after that instant. */
  #horizon(receivedAtNs: bigint): bigint {
    const nowNs = this.#realtimeAt(receivedAtNs);
    return earlier(nowNs, nextStart(this.#pacing) ?? nowNs);
  }
}
