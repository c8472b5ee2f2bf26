import { BoundedWait } from './bounded-wait.js';
import { type ClockReading, earlier, later, type Moment } from './time.js';
import type { Command } from './command.js';
import { CommonSession, repeatNs } from './common-session.js';
import type { ControllerReport, Controllers } from './controllers.js';
import type { Effect, EffectSink, EndReason, PlainEffect } from './effects.js';
import type { PaceResult } from './pacing.js';
import type { RealTimeConfig } from './session-config.js';
import { type SessionEvent, type StartSentEvent, stopSymbol } from './session-events.js';
import { type Handlers, remains, type Session } from './session.js';
import { StartSchedule } from './start-schedule.js';
import type { PreparedStop, StandStill } from './stop/stand-still.js';
import type { SentCommands } from './stop/supervised-vehicle.js';
import type { Worlds } from './worlds.js';

/** What a real-time session reacts to. */
export type RealTimeEvent<S, O, C extends Command> = SessionEvent<S, O, C>;

/** Phases of a real-time session, in their order. */
export type RealTimePhase =
  'waitingForControllers' | 'waitingForStart' | 'running' | 'stopping' | 'ended';

type Table<S, O, C extends Command> = Handlers<RealTimeEvent<S, O, C>, RealTimePhase>;

/**
 * The middleware in real time: waits for the controllers, then (if wanted) for the lab's start,
 * then has a start signal sent at every time of the grid and passes the commands on. Hand over
 * received samples before you wake it. A start signal is prepared shortly before it is due; a period
 * begins when `startSent` says what went out. At the end the vehicles are brought to rest.
 *
 * The wall-clock time of other events is taken from their monotonic instant and the last wake, so
 * a step of the wall clock is noticed at the next wake: within a period, at most a second.
 */
export class RealTimeSession<S, O, C extends Command> implements Session<S, O, C> {
  readonly #config: RealTimeConfig;
  readonly #common: CommonSession<S, O, C>;
  readonly #controllers: Controllers<C>;
  readonly #worlds: Worlds<S, O>;
  readonly #effects: Effect<S, O, C>[];
  readonly #starts: StartSchedule<S, O, C>;
  /** (phase, event) → (phase, effects). */
  readonly #table: Readonly<Record<RealTimePhase, Table<S, O, C>>>;
  #phase: RealTimePhase = 'waitingForControllers';
  readonly #listensUntilNs: bigint;
  readonly #startWait: BoundedWait;
  #judgeAtNs = 0n;
  /** A start trigger that came before all controllers were ready. */
  #heldTriggerNs: bigint | null = null;
  /** The latest time of all start triggers, ns. */
  #triggeredNs = 0n;
  /** When this run was begun, monotonic, ns. */
  readonly #begunAtNs: bigint;

  /**
   * @param now both clocks, now.
   * @throws HlcError `HLC_VEHICLE_IDS`, `HLC_TIME_PERIOD` or `HLC_TIME_OFFSET`.
   */
  constructor(config: RealTimeConfig, now: ClockReading) {
    this.#config = config;
    this.#common = new CommonSession(config, 'real', {
      momentAt: (monotonicNs) => this.#momentAt(monotonicNs),
      peekAt: (monotonicNs) => this.#momentAt(monotonicNs),
      monotonicOf: (steadyNs) => steadyNs,
      steadyAt: (monotonicNs) => monotonicNs,
      sampleNowNs: (receivedAtNs) => this.#starts.realtimeAt(receivedAtNs),
      horizonNs: (nowNs) => this.#starts.horizonNs(nowNs),
    });
    this.#controllers = this.#common.controllers;
    this.#worlds = this.#common.worlds;
    this.#effects = this.#common.effects;
    this.#table = this.#makeTable();
    this.#starts = new StartSchedule(config, this.#worlds, this.#effects, now);
    this.#startWait = new BoundedWait(config.startTimeoutNs, repeatNs);
    this.#listensUntilNs = now.monotonicNs + config.listeningNs;
    this.#begunAtNs = now.monotonicNs;
    this.#common.begin(now.monotonicNs);
  }

  get phase(): RealTimePhase {
    return this.#phase;
  }

  get wakeAtNs(): bigint | null {
    switch (this.#phase) {
      case 'ended':
        return null;
      case 'stopping':
        return this.#common.stoppingAtNs;
      case 'running':
        return this.#common.withStops(this.#nextRunningNs());
      case 'waitingForControllers':
        return this.#common.withStops(
          earlier(this.#starts.paceAtNs, this.#common.readyWait.wakeAtNs),
        );
      case 'waitingForStart':
        return this.#common.withStops(earlier(this.#starts.paceAtNs, this.#startWait.wakeAtNs));
    }
  }

  standStill(atNs: bigint, ids: readonly number[], prepared: PreparedStop): readonly StandStill[] {
    return this.#common.standStill(atNs, ids, prepared);
  }

  sentCommands(): readonly ({ readonly id: number } & SentCommands)[] {
    return this.#common.sentCommands();
  }

  controllers(): ControllerReport[] {
    return this.#controllers.report();
  }

  handle(event: RealTimeEvent<S, O, C>): readonly Effect<S, O, C>[] {
    // Kind and handler belong together; the compiler cannot see that through the union.
    const handler = this.#table[this.#phase][event.kind] as (e: typeof event) => RealTimePhase;
    this.#phase = handler(event);
    return this.#common.takeEffects();
  }

  #makeTable(): Readonly<Record<RealTimePhase, Table<S, O, C>>> {
    const common = this.#common;
    /** In every phase but the last two. */
    const always = {
      ...common.handlers(() => this.#phase),
      stop: ({ atNs }) => this.#end('stopped', atNs),
    } satisfies Partial<Table<S, O, C>>;
    return {
      waitingForControllers: {
        ...always,
        readySignal: (event) => {
          common.signIn(event);
          const { complete } = this.#controllers.readiness;
          return complete ? this.#allReady(event.receivedAtNs) : this.#phase;
        },
        systemTrigger: ({ nextStartNs, receivedAtNs }) => {
          if (nextStartNs === stopSymbol) return this.#end('stopTrigger', receivedAtNs);
          this.#heldTriggerNs = nextStartNs;
          return this.#phase;
        },
        wake: ({ now }) => {
          this.#renew(now);
          const timedOut = common.readyTimedOut(now.monotonicNs);
          return timedOut ? this.#end('readyTimeout', now.monotonicNs) : this.#phase;
        },
      },
      waitingForStart: {
        ...always,
        systemTrigger: ({ nextStartNs, receivedAtNs }) =>
          nextStartNs === stopSymbol
            ? this.#end('stopTrigger', receivedAtNs)
            : this.#beginByTrigger(nextStartNs, receivedAtNs),
        writerChanged: (event) => common.whileWaiting(event, this.#phase),
        wake: ({ now }) => {
          this.#renew(now);
          const { name, timedOut, waitedNs } = this.#startWait.check(now.monotonicNs);
          if (name) this.#effects.push({ kind: 'signIn', nextStartNs: 0n });
          if (name || timedOut) {
            this.#effects.push({ kind: 'triggerMissing', wantedNs: null, waitedNs });
          }
          return timedOut ? this.#end('startTimeout', now.monotonicNs) : this.#phase;
        },
      },
      running: {
        ...always,
        systemTrigger: ({ nextStartNs, receivedAtNs }) => {
          if (nextStartNs === stopSymbol) return this.#end('stopTrigger', receivedAtNs);
          this.#triggered(nextStartNs);
          return this.#phase;
        },
        startSent: (event) => this.#started(event),
        wake: ({ now }) => this.#tick(now),
      },
      stopping: {
        ...common.stoppingHandlers(),
        // It went out before the end was decided, and was reported after it.
        startSent: (event) => {
          this.#starts.report(event);
          return this.#phase;
        },
        wake: ({ now }) => {
          this.#commit(this.#starts.pace(now), this.#effects);
          return common.goOnStopping(this.#momentAt(now.monotonicNs));
        },
      },
      ended: remains('ended'),
    };
  }

  #allReady(nowNs: bigint): RealTimePhase {
    this.#effects.push({ kind: 'allReady' });
    if (!this.#config.waitForStart) return this.#begin(0n, nowNs);
    this.#effects.push({ kind: 'signIn', nextStartNs: 0n });
    if (this.#heldTriggerNs !== null) return this.#beginByTrigger(this.#heldTriggerNs, nowNs);
    this.#startWait.start(nowNs);
    return 'waitingForStart';
  }

  #beginByTrigger(earliestNs: bigint, nowNs: bigint): RealTimePhase {
    this.#triggered(earliestNs);
    return this.#begin(earliestNs, nowNs);
  }

  /** A repeated trigger is no request to resume, also one that was first sent to an earlier run. */
  #triggered(nextStartNs: bigint): void {
    const begunNs = this.#starts.realtimeAt(this.#begunAtNs);
    if (nextStartNs <= later(this.#triggeredNs, begunNs)) return;
    this.#triggeredNs = nextStartNs;
    this.#controllers.triggered(this.#effects);
  }

  /**
   * Plans the first start at the first grid time not before `earliestNs`, not past, and not while the
   * session only listens.
   */
  #begin(earliestNs: bigint, nowNs: bigint): RealTimePhase {
    const realtimeNs = this.#starts.realtimeAt(later(nowNs, this.#listensUntilNs));
    this.#starts.begin(later(earliestNs, realtimeNs), nowNs);
    return 'running';
  }

  #tick(now: ClockReading): RealTimePhase {
    const starts = this.#starts;
    starts.forgetOverdue(now.monotonicNs);
    const result = starts.pace(now);
    const { start, halted } = result;
    const reports: PlainEffect<C>[] = [];
    if (start === null) {
      this.#commit(result, reports);
      starts.prepareExpected(now.monotonicNs);
    } else if (starts.left > 0) {
      // It counts when it went out: `startSent` says so.
      starts.prepareDue(start, now.monotonicNs);
    } else {
      this.#commit(result, reports);
      this.#controllers.judge(this.#momentAt(now.monotonicNs), reports);
      this.#controllers.replies.close(now.monotonicNs);
      this.#judgeAtNs = now.monotonicNs + this.#config.judgeDelayNs;
    }
    this.#supervise(now, reports);
    this.#effects.push(...reports);
    if (halted) return this.#end('overrun', now.monotonicNs);
    const { replies } = this.#controllers;
    const over = starts.left === 0 && !replies.isOpen;
    return over && !replies.judgementDue ? this.#end('periodsDone', now.monotonicNs) : this.#phase;
  }

  /** Judges the period before when that is due, stops silent controllers, goes on with stops. */
  #supervise(now: ClockReading, reports: EffectSink<C>): void {
    const controllers = this.#controllers;
    const moment = this.#momentAt(now.monotonicNs);
    if (now.monotonicNs >= this.#judgeAtNs) controllers.judge(moment, reports);
    controllers.expire(moment, reports);
    this.#common.actOnStops(moment, reports);
  }

  /** A start signal went out: its period begins. */
  #started(event: StartSentEvent): RealTimePhase {
    const sent = this.#starts.report(event);
    if (sent === null) return this.#phase;
    const { tNowNs, now } = event;
    const reports: PlainEffect<C>[] = [];
    const result = this.#starts.started(event, sent.dueAtNs);
    this.#commit(result, reports);
    const moment = this.#momentAt(now.monotonicNs);
    // A stop that follows begins as this is handled, not as it was written.
    const handled = this.#momentAt(event.atNs);
    const controllers = this.#controllers;
    controllers.judge(handled, reports);
    // The misses of one that is out are of interest only where nothing else follows from them.
    const asked = (id: number): boolean =>
      controllers.takesPart(id) || controllers.supervision.isOnlyLogged(id);
    controllers.start(tNowNs, moment.steadyNs, moment, asked, reports);
    if (result.skipped > 0) controllers.replies.excuse();
    this.#judgeAtNs = now.monotonicNs + this.#config.judgeDelayNs;
    // A start signal that was prepared before the wall clock stepped back names a time that is to come again.
    this.#worlds.settle(earlier(tNowNs, this.#starts.realtimeAt(now.monotonicNs)));
    if (now.monotonicNs >= this.#judgeAtNs) controllers.judge(handled, reports);
    this.#effects.push(...reports);
    // After a start signal that was late, the next one may be due at once.
    this.#starts.prepareExpected(now.monotonicNs);
    return this.#phase;
  }

  #nextRunningNs(): bigint {
    const { replies } = this.#controllers;
    const wakeNs = this.#starts.nextAtNs;
    return replies.judgementDue ? earlier(wakeNs, this.#judgeAtNs) : wakeNs;
  }

  /** While no start is planned: renews the relation of the clocks, and goes on with stops. */
  #renew(now: ClockReading): void {
    this.#commit(this.#starts.pace(now), this.#effects);
    this.#supervise(now, this.#effects);
  }

  /** Takes over what the pacing found. */
  #commit(result: PaceResult, reports: EffectSink<C>): void {
    this.#starts.take(result);
    if (result.clockStepNs !== null) {
      this.#controllers.clockStepped(result.clockStepNs);
      this.#worlds.clockStepped(result.clockStepNs);
      reports.push({ kind: 'clockStepped', stepNs: result.clockStepNs });
    }
    if (result.skipped > 0) reports.push({ kind: 'periodsSkipped', count: result.skipped });
  }

  #end(reason: EndReason, atNs: bigint): RealTimePhase {
    this.#starts.cancel();
    return this.#common.end(reason, atNs);
  }

  #momentAt(monotonicNs: bigint): Moment {
    return { steadyNs: monotonicNs, stampNs: this.#starts.realtimeAt(monotonicNs) };
  }
}
