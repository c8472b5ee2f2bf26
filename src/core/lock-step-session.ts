import { BoundedWait } from './bounded-wait.js';
import { nsPerS, type Moment } from './time.js';
import type { Command } from './command.js';
import { CommonSession, repeatNs } from './common-session.js';
import type { ControllerReport, Controllers } from './controllers.js';
import type { Effect } from './effects.js';
import type { LockStepConfig } from './session-config.js';
import { nextAfter, type PeriodGrid, simulatedGrid } from './period-grid.js';
import type { LockStepEvent, LockStepHandlers, LockStepPhase } from './lock-step-table.js';
import { remains, type Session } from './session.js';
import { type ReadySignalEvent, stopSymbol } from './session-events.js';
import type { StandStill } from './stop/stand-still.js';
import type { SentCommands } from './stop/supervised-vehicle.js';
import { controlledGate, mayBegin, passedGate, type StepGate } from './step-gate.js';
import { SteadyTime } from './steady-time.js';
import { stepBegun, stepThrottle, type StepThrottle } from './step-throttle.js';
import type { Worlds } from './worlds.js';

/** Those whose reply is missing are named this often. */
const nameRepliesNs = nsPerS;

/**
 * The middleware in simulated time. A step begins with a start signal and ends with the event of
 * the last reply, and time moves on by one period. A reply counts for the step that it answers.
 *
 * A dead controller is waited for, unless the policy is to drop it. When every controller was
 * dropped, time stands still until one rejoins; the session ends when none does within the reply
 * time-out.
 *
 * A controller that was dead and sends its ready signal again takes part from the next step; the
 * current one no longer waits for it.
 */
export class LockStepSession<S, O, C extends Command> implements Session<S, O, C> {
  readonly #config: LockStepConfig;
  readonly #common: CommonSession<S, O, C>;
  readonly #controllers: Controllers<C>;
  readonly #worlds: Worlds<S, O>;
  readonly #effects: Effect<S, O, C>[];
  /** (phase, event) → (phase, effects). */
  readonly #table: Readonly<Record<LockStepPhase, LockStepHandlers<S, O, C>>>;
  readonly #grid: PeriodGrid;
  #phase: LockStepPhase = 'waitingForControllers';
  #gate: StepGate = { kind: 'open' };
  #throttle: StepThrottle;
  /** Time of the step under way, or of the last one, ns. */
  #tNowNs: bigint;
  /** Time of the next step, ns. */
  #wantedNs: bigint;
  /** The time that was requested from the lab, ns. */
  #signedInNs: bigint | null = null;
  /** The last trigger, ns; it can come before the sign-in that it answers. */
  #triggerNs: bigint | null = null;
  #startSignals = 0;
  readonly #triggerWait: BoundedWait;
  readonly #replyWait: BoundedWait;
  /** Of stops. */
  readonly #steadyTime: SteadyTime;

  /**
   * @param nowNs the monotonic clock, now.
   * @throws HlcError `HLC_VEHICLE_IDS`, `HLC_TIME_PERIOD`, `HLC_TIME_OFFSET` or
   *   `HLC_TIME_FACTOR`.
   */
  constructor(config: LockStepConfig, nowNs: bigint) {
    const { rules, timeSource } = config;
    this.#config = config;
    const settings = {
      ...rules.settings,
      futureToleranceNs: rules.settings.futureToleranceNs === null ? null : 0n,
      pastToleranceNs: 0n,
      maxAgeNs: null,
    };
    const stampRules = { ...rules, settings };
    this.#common = new CommonSession({ ...config, rules: stampRules }, 'simulated', {
      momentAt: (monotonicNs) => this.#momentAt(monotonicNs),
      peekAt: (monotonicNs) => this.#steadyTime.peekAt(monotonicNs, this.#tNowNs),
      monotonicOf: (steadyNs) => this.#steadyTime.realTimeOf(steadyNs),
      steadyAt: (monotonicNs) => this.#momentAt(monotonicNs).steadyNs,
      sampleNowNs: () => this.#wantedNs,
      horizonNs: () => this.#wantedNs,
    });
    this.#controllers = this.#common.controllers;
    this.#worlds = this.#common.worlds;
    this.#effects = this.#common.effects;
    this.#table = this.#makeTable();
    this.#grid = simulatedGrid(config.periodNs, config.offsetNs);
    this.#wantedNs = config.offsetNs;
    this.#tNowNs = this.#wantedNs;
    this.#steadyTime = new SteadyTime(this.#tNowNs, nowNs);
    const factor = timeSource.kind === 'self' ? timeSource.realTimeFactor : null;
    this.#throttle = stepThrottle(config.periodNs, factor);
    this.#triggerWait = new BoundedWait(config.startTimeoutNs, repeatNs);
    this.#replyWait = new BoundedWait(config.replyTimeout?.afterNs ?? null, nameRepliesNs);
    this.#common.begin(nowNs);
  }

  get phase(): LockStepPhase {
    return this.#phase;
  }

  get wakeAtNs(): bigint | null {
    switch (this.#phase) {
      case 'waitingForControllers':
        return this.#common.withStops(this.#common.readyWait.wakeAtNs);
      case 'waitingForTrigger':
        return this.#common.withStops(this.#triggerWait.wakeAtNs);
      case 'throttled':
        return this.#common.withStops(this.#throttle.earliestNs);
      case 'paused':
        return this.#common.withStops(null);
      case 'working':
        return this.#common.withStops(
          this.#gate.kind === 'paused' ? null : this.#replyWait.wakeAtNs,
        );
      case 'stopping':
        return this.#common.stoppingAtNs;
      case 'ended':
        return null;
    }
  }

  standStill(atNs: bigint, ids: readonly number[]): readonly StandStill[] {
    return this.#common.standStill(atNs, ids);
  }

  sentCommands(): readonly ({ readonly id: number } & SentCommands)[] {
    return this.#common.sentCommands();
  }

  controllers(): ControllerReport[] {
    return this.#controllers.report();
  }

  handle(event: LockStepEvent<S, O, C>): readonly Effect<S, O, C>[] {
    // Kind and handler belong together; the compiler cannot see that through the union.
    const handler = this.#table[this.#phase][event.kind] as (e: typeof event) => LockStepPhase;
    this.#phase = handler(event);
    return this.#common.takeEffects();
  }

  #makeTable(): Readonly<Record<LockStepPhase, LockStepHandlers<S, O, C>>> {
    const common = this.#common;
    /** In every phase but the last two, unless the phase says otherwise. */
    const always = {
      ...common.handlers(() => this.#phase),
      readySignal: (event) => {
        this.#signedInBy(event);
        return this.#phase;
      },
      systemTrigger: ({ nextStartNs, receivedAtNs }) => {
        if (nextStartNs === stopSymbol) return this.#common.end('stopTrigger', receivedAtNs);
        this.#triggerNs = nextStartNs;
        return this.#phase;
      },
      stepControl: ({ control }) => {
        this.#gate = controlledGate(control);
        return this.#phase;
      },
      stop: ({ atNs }) => this.#common.end('stopped', atNs),
    } satisfies Partial<LockStepHandlers<S, O, C>>;
    /** The next step may not begin yet. */
    const beforeStep: LockStepHandlers<S, O, C> = {
      ...always,
      writerChanged: (event) => common.whileWaiting(event, this.#phase),
      stepControl: (event) => {
        always.stepControl(event);
        return this.#proceed(event.atNs);
      },
      wake: ({ now: { monotonicNs } }) => {
        this.#actOnStops(monotonicNs);
        return mayBegin(this.#gate, this.#wantedNs) ? this.#proceed(monotonicNs) : this.#phase;
      },
    };
    return {
      waitingForControllers: {
        ...always,
        readySignal: (event) => {
          this.#signedInBy(event);
          if (!this.#controllers.readiness.complete) return this.#phase;
          this.#effects.push({ kind: 'allReady' });
          return this.#proceed(event.receivedAtNs);
        },
        wake: ({ now: { monotonicNs } }) => {
          this.#actOnStops(monotonicNs);
          return common.readyTimedOut(monotonicNs)
            ? this.#common.end('readyTimeout', monotonicNs)
            : this.#phase;
        },
      },
      waitingForTrigger: {
        ...always,
        writerChanged: (event) => common.whileWaiting(event, this.#phase),
        systemTrigger: (event) => {
          const phase = always.systemTrigger(event);
          return phase === this.#phase ? this.#proceed(event.receivedAtNs) : phase;
        },
        stepControl: (event) => {
          always.stepControl(event);
          return this.#proceed(event.atNs);
        },
        wake: ({ now: { monotonicNs } }) => {
          this.#actOnStops(monotonicNs);
          const { name, timedOut, waitedNs } = this.#triggerWait.check(monotonicNs);
          if (name && this.#triggerNs === null) this.#signIn();
          if (name || timedOut) {
            this.#effects.push({ kind: 'triggerMissing', wantedNs: this.#wantedNs, waitedNs });
          }
          return timedOut ? this.#common.end('startTimeout', monotonicNs) : this.#phase;
        },
      },
      paused: beforeStep,
      throttled: beforeStep,
      working: {
        ...always,
        command: (event) => {
          always.command(event);
          this.#releaseUnserved(event.command.message.vehicle_id);
          // Not its reception: the next step begins now, and so does its time-out.
          return this.#proceedWhenOver(event.atNs);
        },
        readySignal: (event) => {
          this.#signedInBy(event);
          return this.#proceedWhenOver(event.receivedAtNs);
        },
        writerChanged: (event) => {
          for (const id of common.writerChanged(event)) this.#releaseUnserved(id);
          return this.#proceedWhenOver(event.atNs);
        },
        resume: (event) => {
          always.resume(event);
          return this.#proceedWhenOver(event.atNs);
        },
        vehiclesStopped: (event) => {
          always.vehiclesStopped(event);
          for (const id of this.#controllers.ids) this.#releaseUnserved(id);
          return this.#proceedWhenOver(event.atNs);
        },
        stepControl: (event) => {
          const { kind } = this.#gate;
          always.stepControl(event);
          // The reply time-out starts again: time in which a user inspected the step does not count.
          if (kind === 'paused') this.#replyWait.start(event.atNs);
          return this.#phase;
        },
        wake: ({ now: { monotonicNs } }) => {
          this.#actOnStops(monotonicNs);
          return this.#watch(monotonicNs);
        },
      },
      stopping: {
        ...common.stoppingHandlers(),
        stepControl: () => 'stopping',
        wake: ({ now: { monotonicNs } }) => common.goOnStopping(this.#momentAt(monotonicNs)),
      },
      ended: { ...remains('ended'), stepControl: () => 'ended' },
    };
  }

  /** No step is under way: begins the next one, or does what must come before it. */
  #proceed(nowNs: bigint): LockStepPhase {
    const { timeSource, periods } = this.#config;
    if (this.#startSignals === periods) return this.#common.end('periodsDone', nowNs);
    if (timeSource.kind === 'self' && timeSource.untilNs !== null) {
      if (this.#wantedNs > timeSource.untilNs) return this.#common.end('untilReached', nowNs);
    }
    if (!mayBegin(this.#gate, this.#wantedNs)) {
      this.#effects.push({ kind: 'paused', nextNs: this.#wantedNs });
      return 'paused';
    }
    if (timeSource.kind === 'lab') {
      if (this.#signedInNs !== this.#wantedNs) this.#signIn();
      if (this.#triggerNs === this.#wantedNs) return this.#begin(nowNs);
      if (this.#phase !== 'waitingForTrigger') this.#triggerWait.start(nowNs);
      return 'waitingForTrigger';
    }
    const { earliestNs } = this.#throttle;
    return earliestNs !== null && nowNs < earliestNs ? 'throttled' : this.#begin(nowNs);
  }

  #signIn(): void {
    this.#signedInNs = this.#wantedNs;
    this.#effects.push({ kind: 'signIn', nextStartNs: this.#wantedNs });
  }

  #begin(nowNs: bigint): LockStepPhase {
    const tNowNs = this.#wantedNs;
    this.#tNowNs = tNowNs;
    this.#wantedNs = nextAfter(this.#grid, tNowNs);
    this.#gate = passedGate(this.#gate);
    this.#throttle = stepBegun(this.#throttle, nowNs);
    this.#startSignals++;
    this.#worlds.settle(tNowNs);
    const { periodNs } = this.#config;
    const { activeVehicleIds, states, observations } = this.#worlds.peek(tNowNs, periodNs);
    // Not a spread: V8 makes a shape of its own for each object that gets a field after one.
    this.#effects.push({
      kind: 'sendStartSignal',
      tNowNs,
      periodNs,
      activeVehicleIds,
      states,
      observations,
    });
    const asked = (id: number): boolean => !this.#mayGoOnWithout(id);
    const now = this.#momentAt(nowNs);
    this.#controllers.start(tNowNs, nowNs, now, asked, this.#effects);
    this.#controllers.judge(now, this.#effects);
    this.#actOnStops(nowNs);
    this.#replyWait.start(nowNs);
    return 'working';
  }

  #signedInBy(event: ReadySignalEvent): void {
    const signedIn = this.#common.signIn(event);
    if (signedIn !== null) this.#releaseUnserved(signedIn.id);
  }

  /** The step does not wait for one that takes part from the next step only. */
  #releaseUnserved(id: number): void {
    if (this.#mayGoOnWithout(id)) this.#controllers.replies.release(id);
  }

  /** A dead controller is waited for, unless the policy is to drop it. */
  #mayGoOnWithout(id: number): boolean {
    if (this.#controllers.takesPart(id)) return false;
    return this.#config.replyTimeout?.policy === 'drop' || !this.#controllers.isDead(id);
  }

  #proceedWhenOver(nowNs: bigint): LockStepPhase {
    if (this.#controllers.replies.outstanding > 0) return this.#phase;
    return this.#controllers.anyServed() ? this.#proceed(nowNs) : this.#phase;
  }

  /** Names the missing, and does what is to be done when they stay out for too long. */
  #watch(nowNs: bigint): LockStepPhase {
    if (this.#gate.kind === 'paused') return this.#phase;
    const { name, timedOut, waitedNs } = this.#replyWait.check(nowNs);
    if (name) {
      const ids = this.#awaited();
      this.#effects.push({ kind: 'controllersMissing', ids, awaited: 'reply', waitedNs });
    }
    return timedOut ? this.#timeOut(nowNs) : this.#phase;
  }

  #timeOut(nowNs: bigint): LockStepPhase {
    const ids = this.#controllers.replies.missing();
    this.#effects.push({ kind: 'replyTimeout', tNowNs: this.#tNowNs, ids });
    switch (this.#config.replyTimeout?.policy) {
      case undefined:
      case 'wait':
        for (const id of ids) this.#controllers.late(id, this.#effects);
        return this.#phase;
      case 'halt':
        return this.#common.end('replyTimeout', nowNs);
      case 'drop':
        return this.#drop(ids, nowNs);
    }
  }

  /** Goes on without these; ends when all had been dropped before and none came back. */
  #drop(ids: readonly number[], nowNs: bigint): LockStepPhase {
    if (ids.length === 0) return this.#common.end('replyTimeout', nowNs);
    const now = this.#momentAt(nowNs);
    for (const id of ids) this.#controllers.drop(id, now, this.#effects);
    if (!this.#controllers.anyServed()) this.#replyWait.start(nowNs);
    return this.#proceedWhenOver(nowNs);
  }

  /** The controllers without a reply to the step, or any controller when all are dead. */
  #awaited(): readonly number[] {
    const missing = this.#controllers.replies.missing();
    return missing.length > 0 ? missing : this.#controllers.ids;
  }

  /** Also while simulated time stands. */
  #actOnStops(nowNs: bigint): void {
    this.#common.actOnStops(this.#momentAt(nowNs), this.#effects);
  }

  #momentAt(monotonicNs: bigint): Moment {
    return this.#steadyTime.momentAt(monotonicNs, this.#tNowNs);
  }
}
