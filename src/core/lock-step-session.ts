import { BoundedWait } from './bounded-wait.js';
import { earlier, nsPerS, type Moment } from './time.js';
import type { Command } from './command.js';
import { type ControllerReport, Controllers } from './controllers.js';
import type { Effect, EndReason } from './effects.js';
import { Ending } from './ending.js';
import type { LockStepConfig } from './session-config.js';
import { nextAfter, type PeriodGrid, simulatedGrid } from './period-grid.js';
import type { LockStepEvent, LockStepHandlers, LockStepPhase } from './lock-step-table.js';
import { remains, type Session } from './session.js';
import {
  type ReadySignalEvent,
  type VehicleStateEvent,
  type WriterChangedEvent,
  stopSymbol,
} from './session-events.js';
import type { StandStill } from './stop/stand-still.js';
import type { SentCommands } from './stop/stop-authority.js';
import { controlledGate, mayBegin, passedGate, type StepGate } from './step-gate.js';
import { SteadyTime } from './steady-time.js';
import { stepBegun, stepThrottle, type StepThrottle } from './step-throttle.js';
import { tooFarAheadNs, type VehicleSample } from './world.js';
import { Worlds } from './worlds.js';

/** Controllers and triggers that are waited for are named, and the first sign-in is repeated, this often. */
const repeatNs = 2n * nsPerS;

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
  readonly #controllers: Controllers<C>;
  readonly #worlds: Worlds<S, O>;
  readonly #grid: PeriodGrid;
  #phase: LockStepPhase = 'waitingForControllers';
  #effects: Effect<S, O, C>[] = [];
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
  readonly #readyWait: BoundedWait;
  readonly #triggerWait: BoundedWait;
  readonly #replyWait: BoundedWait;
  /** Of stops. */
  readonly #steadyTime: SteadyTime;
  #ending: Ending | null = null;

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
    this.#controllers = new Controllers({ ...config, rules: { ...rules, settings } }, 'simulated');
    this.#worlds = new Worlds(config.activeVehicleIds);
    this.#grid = simulatedGrid(config.periodNs, config.offsetNs);
    this.#wantedNs = config.offsetNs;
    this.#tNowNs = this.#wantedNs;
    this.#steadyTime = new SteadyTime(this.#tNowNs, nowNs);
    const factor = timeSource.kind === 'self' ? timeSource.realTimeFactor : null;
    this.#throttle = stepThrottle(config.periodNs, factor);
    this.#readyWait = new BoundedWait(config.readyTimeoutNs, repeatNs);
    this.#triggerWait = new BoundedWait(config.startTimeoutNs, repeatNs);
    this.#replyWait = new BoundedWait(config.replyTimeout?.afterNs ?? null, nameRepliesNs);
    this.#readyWait.start(nowNs);
    this.#controllers.supervision.stopLatched(this.#momentAt(nowNs), this.#effects);
  }

  get phase(): LockStepPhase {
    return this.#phase;
  }

  get wakeAtNs(): bigint | null {
    switch (this.#phase) {
      case 'waitingForControllers':
        return this.#withStops(this.#readyWait.wakeAtNs);
      case 'waitingForTrigger':
        return this.#withStops(this.#triggerWait.wakeAtNs);
      case 'throttled':
        return this.#withStops(this.#throttle.earliestNs);
      case 'paused':
        return this.#withStops(null);
      case 'working':
        return this.#withStops(this.#gate.kind === 'paused' ? null : this.#replyWait.wakeAtNs);
      case 'stopping':
        return this.#ending === null ? null : this.#steadyTime.realTimeOf(this.#ending.nextAtNs);
      case 'ended':
        return null;
    }
  }

  get startSignals(): number {
    return this.#startSignals;
  }

  standStill(atNs: bigint, ids: readonly number[]): readonly StandStill[] {
    const { stops } = this.#controllers.supervision;
    const now = this.#momentAt(atNs);
    return ids.flatMap((id) => stops.standStill(id, now));
  }

  sentCommands(): readonly ({ readonly id: number } & SentCommands)[] {
    const { vehicleIds, supervision } = this.#controllers;
    return vehicleIds.map((id) => ({ id, ...supervision.stops.sent(id) }));
  }

  controllers(): ControllerReport[] {
    return this.#controllers.report();
  }

  handle(event: LockStepEvent<S, O, C>): readonly Effect<S, O, C>[] {
    // Kind and handler belong together; the compiler cannot see that through the union.
    const handler = this.#table[this.#phase][event.kind] as (e: typeof event) => LockStepPhase;
    this.#phase = handler(event);
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** In every phase, unless the phase says otherwise. */
  readonly #always = {
    vehicleState: (event) => {
      this.#observe(event);
      if (this.#isAcceptable(event.sample)) this.#worlds.putState(event.sample, this.#wantedNs);
      return this.#phase;
    },
    vehicleObservation: ({ sample }) => {
      if (this.#isAcceptable(sample)) this.#worlds.putObservation(sample, this.#wantedNs);
      return this.#phase;
    },
    command: (event) => {
      const now = this.#momentAt(event.atNs);
      this.#controllers.command(event, this.#tNowNs, now, this.#effects);
      return this.#phase;
    },
    readySignal: (event) => {
      this.#signedInBy(event);
      return this.#phase;
    },
    writerChanged: (event) => {
      this.#controllers.writerChanged(event, this.#momentAt(event.atNs), this.#effects);
      return this.#phase;
    },
    vehiclesStopped: (event) => {
      this.#controllers.vehiclesStopped(event, this.#momentAt(event.atNs), this.#effects);
      return this.#phase;
    },
    startSent: () => this.#phase,
    resume: ({ ids }) => {
      this.#controllers.resume(ids, this.#effects);
      return this.#phase;
    },
    systemTrigger: ({ nextStartNs, receivedAtNs }) => {
      if (nextStartNs === stopSymbol) return this.#end('stopTrigger', receivedAtNs);
      this.#triggerNs = nextStartNs;
      return this.#phase;
    },
    stepControl: ({ control }) => {
      this.#gate = controlledGate(control);
      return this.#phase;
    },
    stop: ({ atNs }) => this.#end('stopped', atNs),
  } satisfies Partial<LockStepHandlers<S, O, C>>;

  /** The next step may not begin yet. */
  readonly #beforeStep: LockStepHandlers<S, O, C> = {
    ...this.#always,
    writerChanged: (event) => this.#whileWaiting(event),
    stepControl: (event) => {
      this.#always.stepControl(event);
      return this.#proceed(event.atNs);
    },
    wake: ({ now: { monotonicNs } }) => {
      this.#actOnStops(monotonicNs);
      return mayBegin(this.#gate, this.#wantedNs) ? this.#proceed(monotonicNs) : this.#phase;
    },
  };

  /** (phase, event) → (phase, effects). */
  readonly #table: Readonly<Record<LockStepPhase, LockStepHandlers<S, O, C>>> = {
    waitingForControllers: {
      ...this.#always,
      readySignal: (event) => {
        this.#signedInBy(event);
        if (!this.#controllers.readiness.complete) return this.#phase;
        this.#effects.push({ kind: 'allReady' });
        return this.#proceed(event.receivedAtNs);
      },
      wake: ({ now: { monotonicNs } }) => {
        this.#actOnStops(monotonicNs);
        const { name, timedOut, waitedNs } = this.#readyWait.check(monotonicNs);
        if (name || timedOut) {
          this.#name('readySignal', this.#controllers.readiness.missing(), waitedNs);
        }
        return timedOut ? this.#end('readyTimeout', monotonicNs) : this.#phase;
      },
    },
    waitingForTrigger: {
      ...this.#always,
      writerChanged: (event) => this.#whileWaiting(event),
      systemTrigger: (event) => {
        const phase = this.#always.systemTrigger(event);
        return phase === this.#phase ? this.#proceed(event.receivedAtNs) : phase;
      },
      stepControl: (event) => {
        this.#always.stepControl(event);
        return this.#proceed(event.atNs);
      },
      wake: ({ now: { monotonicNs } }) => {
        this.#actOnStops(monotonicNs);
        const { name, timedOut, waitedNs } = this.#triggerWait.check(monotonicNs);
        if (name && this.#triggerNs === null) this.#signIn();
        if (name || timedOut) {
          this.#effects.push({ kind: 'triggerMissing', wantedNs: this.#wantedNs, waitedNs });
        }
        return timedOut ? this.#end('startTimeout', monotonicNs) : this.#phase;
      },
    },
    paused: this.#beforeStep,
    throttled: this.#beforeStep,
    working: {
      ...this.#always,
      command: (event) => {
        this.#always.command(event);
        this.#releaseUnserved(event.command.message.vehicle_id);
        return this.#proceedWhenOver(event.receivedAtNs);
      },
      readySignal: (event) => {
        this.#signedInBy(event);
        return this.#proceedWhenOver(event.receivedAtNs);
      },
      writerChanged: (event) => {
        const now = this.#momentAt(event.atNs);
        const gone = this.#controllers.writerChanged(event, now, this.#effects);
        for (const id of gone) this.#releaseUnserved(id);
        return this.#proceedWhenOver(event.atNs);
      },
      resume: (event) => {
        this.#always.resume(event);
        return this.#proceedWhenOver(event.atNs);
      },
      vehiclesStopped: (event) => {
        this.#always.vehiclesStopped(event);
        for (const id of this.#controllers.ids) this.#releaseUnserved(id);
        return this.#proceedWhenOver(event.atNs);
      },
      stepControl: (event) => {
        const { kind } = this.#gate;
        this.#always.stepControl(event);
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
      ...remains('stopping'),
      stepControl: () => 'stopping',
      vehicleState: (event) => {
        this.#observe(event);
        return this.#phase;
      },
      vehiclesStopped: (event) => {
        this.#controllers.takeOver(event, this.#momentAt(event.atNs), this.#effects);
        return this.#phase;
      },
      wake: ({ now: { monotonicNs } }) => this.#goOnStopping(this.#momentAt(monotonicNs)),
    },
    ended: { ...remains('ended'), stepControl: () => 'ended' },
  };

  /** No step is under way: begins the next one, or does what must come before it. */
  #proceed(nowNs: bigint): LockStepPhase {
    const { timeSource, periods } = this.#config;
    if (this.#startSignals === periods) return this.#end('periodsDone', nowNs);
    if (timeSource.kind === 'self' && timeSource.untilNs !== null) {
      if (this.#wantedNs > timeSource.untilNs) return this.#end('untilReached', nowNs);
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
    const signal = this.#worlds.peek(tNowNs, this.#config.periodNs);
    this.#effects.push({ ...signal, kind: 'sendStartSignal' });
    const asked = (id: number): boolean => !this.#mayGoOnWithout(id);
    const now = this.#momentAt(nowNs);
    this.#controllers.start(tNowNs, nowNs, now, asked, this.#effects);
    this.#controllers.judge(now, this.#effects);
    this.#actOnStops(nowNs);
    this.#replyWait.start(nowNs);
    return 'working';
  }

  #signedInBy(event: ReadySignalEvent): void {
    const signedIn = this.#controllers.readySignal(event, this.#effects);
    if (signedIn === null) return;
    if (signedIn.admitted && this.#config.listAdmitted) this.#worlds.add(signedIn.id);
    this.#releaseUnserved(signedIn.id);
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

  /** Before the first step, the loss of a controller closes the barrier again. */
  #whileWaiting(event: WriterChangedEvent): LockStepPhase {
    this.#always.writerChanged(event);
    if (this.#controllers.readiness.complete) return this.#phase;
    this.#readyWait.start(event.atNs);
    return 'waitingForControllers';
  }

  #proceedWhenOver(nowNs: bigint): LockStepPhase {
    if (this.#controllers.replies.outstanding > 0) return this.#phase;
    return this.#controllers.someoneServed() ? this.#proceed(nowNs) : this.#phase;
  }

  /** Names the missing, and does what is to be done when they stay out for too long. */
  #watch(nowNs: bigint): LockStepPhase {
    if (this.#gate.kind === 'paused') return this.#phase;
    const { name, timedOut, waitedNs } = this.#replyWait.check(nowNs);
    if (name) this.#name('reply', this.#awaited(), waitedNs);
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
        return this.#end('replyTimeout', nowNs);
      case 'drop':
        return this.#drop(ids, nowNs);
    }
  }

  /** Goes on without these; ends when all had been dropped before and none came back. */
  #drop(ids: readonly number[], nowNs: bigint): LockStepPhase {
    if (ids.length === 0) return this.#end('replyTimeout', nowNs);
    const now = this.#momentAt(nowNs);
    for (const id of ids) this.#controllers.drop(id, now, this.#effects);
    if (!this.#controllers.someoneServed()) this.#replyWait.start(nowNs);
    return this.#proceedWhenOver(nowNs);
  }

  /** The controllers without a reply to the step, or any controller when all are dead. */
  #awaited(): readonly number[] {
    const missing = this.#controllers.replies.missing();
    return missing.length > 0 ? missing : this.#controllers.ids;
  }

  #name(awaited: 'readySignal' | 'reply', ids: readonly number[], waitedNs: bigint): void {
    this.#effects.push({ kind: 'controllersMissing', ids, awaited, waitedNs });
  }

  #end(reason: EndReason, nowNs: bigint): LockStepPhase {
    const now = this.#momentAt(nowNs);
    const { supervision } = this.#controllers;
    this.#ending = new Ending(reason, supervision, now, this.#config.endTimeoutNs);
    this.#ending.begin(now, this.#effects);
    return this.#goOnStopping(now);
  }

  #goOnStopping(now: Moment): LockStepPhase {
    return this.#ending?.goOn(now, this.#effects) === false ? 'stopping' : 'ended';
  }

  /** Repeats stop commands when that is due, also while simulated time stands. */
  #actOnStops(nowNs: bigint): void {
    const { stops } = this.#controllers.supervision;
    const now = this.#momentAt(nowNs);
    if (stops.nextAtNs !== null && stops.nextAtNs <= now.steadyNs) stops.act(now, this.#effects);
  }

  #withStops(wakeNs: bigint | null): bigint | null {
    const { nextAtNs } = this.#controllers.supervision.stops;
    if (nextAtNs === null) return wakeNs;
    const stopNs = this.#steadyTime.realTimeOf(nextAtNs);
    return wakeNs === null ? stopNs : earlier(wakeNs, stopNs);
  }

  #observe({ sample, motion: { speedMps, pose }, receivedAtNs }: VehicleStateEvent<S>): void {
    const { stops } = this.#controllers.supervision;
    // While simulated time stands, new states have the same stamp.
    const stamped = { speedMps, pose, createStampNs: 0n };
    stops.observe(sample.vehicleId, stamped, this.#momentAt(receivedAtNs).steadyNs);
  }

  #isAcceptable(sample: VehicleSample<unknown>): boolean {
    const aheadNs = tooFarAheadNs(sample, this.#wantedNs);
    if (aheadNs === null) return true;
    this.#effects.push({ kind: 'stateRefused', id: sample.vehicleId, aheadNs });
    return false;
  }

  #momentAt(monotonicNs: bigint): Moment {
    return this.#steadyTime.momentAt(monotonicNs, this.#tNowNs);
  }
}
