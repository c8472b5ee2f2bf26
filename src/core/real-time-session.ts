import { BoundedWait } from './bounded-wait.js';
import { type ClockReading, earlier, later, nsPerS, type Moment } from './time.js';
import type { Command } from './command.js';
import { type ControllerReport, Controllers } from './controllers.js';
import type { Effect, EffectSink, EndReason, PlainEffect } from './effects.js';
import { Ending } from './ending.js';
import {
  expectedStart,
  idlePacing,
  nextStart,
  pace,
  paceStarted,
  type PaceResult,
  type Pacing,
  planFirst,
} from './pacing.js';
import { realTimeGrid } from './period-grid.js';
import { PreparedStarts } from './prepared-starts.js';
import type { RealTimeConfig } from './session-config.js';
import {
  type ReadySignalEvent,
  type SessionEvent,
  type StartSentEvent,
  type VehicleStateEvent,
  stopSymbol,
} from './session-events.js';
import { type Handlers, remains, type Session } from './session.js';
import { startLead, startSlots } from './start-plan.js';
import type { PreparedStop, StandStill } from './stop/stand-still.js';
import type { SentCommands } from './stop/stop-authority.js';
import { tooFarAheadNs, type VehicleSample } from './world.js';
import { Worlds } from './worlds.js';

/** What a real-time session reacts to. */
export type RealTimeEvent<S, O, C extends Command> = SessionEvent<S, O, C>;

/** Phases of a real-time session, in their order. */
export type RealTimePhase =
  'waitingForControllers' | 'waitingForStart' | 'running' | 'stopping' | 'ended';

type Table<S, O, C extends Command> = Handlers<RealTimeEvent<S, O, C>, RealTimePhase>;

/** Interval at which the missing controllers are named and the sign-in to the lab is repeated, ns. */
const repeatNs = 2n * nsPerS;

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
  readonly #controllers: Controllers<C>;
  readonly #worlds: Worlds<S, O>;
  #phase: RealTimePhase = 'waitingForControllers';
  #effects: Effect<S, O, C>[] = [];
  #pacing: Pacing;
  #paceAtNs: bigint;
  readonly #listensUntilNs: bigint;
  readonly #readyWait: BoundedWait;
  readonly #startWait: BoundedWait;
  #judgeAtNs = 0n;
  /** A start trigger that came before all controllers were ready. */
  #heldTriggerNs: bigint | null = null;
  /** The latest time of all start triggers, ns. */
  #triggeredNs = 0n;
  #startSignals = 0;
  readonly #prepared = new PreparedStarts<S, O>();
  #ending: Ending | null = null;

  /**
   * @param now both clocks, now.
   * @throws HlcError `HLC_VEHICLE_IDS`, `HLC_TIME_PERIOD` or `HLC_TIME_OFFSET`.
   */
  constructor(config: RealTimeConfig, now: ClockReading) {
    this.#config = config;
    this.#controllers = new Controllers(config, 'real');
    this.#worlds = new Worlds(config.activeVehicleIds);
    const grid = realTimeGrid(config.periodNs, config.offsetNs);
    this.#pacing = idlePacing(grid, now, config.overrun, config.latestStartNs);
    this.#readyWait = new BoundedWait(config.readyTimeoutNs, repeatNs);
    this.#startWait = new BoundedWait(config.startTimeoutNs, repeatNs);
    this.#readyWait.start(now.monotonicNs);
    this.#paceAtNs = now.monotonicNs;
    this.#listensUntilNs = now.monotonicNs + config.listeningNs;
    this.#controllers.supervision.stopLatched(this.#momentAt(now.monotonicNs), this.#effects);
  }

  get phase(): RealTimePhase {
    return this.#phase;
  }

  get wakeAtNs(): bigint | null {
    switch (this.#phase) {
      case 'ended':
        return null;
      case 'stopping':
        return this.#ending?.nextAtNs ?? null;
      case 'running':
        return this.#nextRunningNs();
      case 'waitingForControllers':
        return this.#withStops(earlier(this.#paceAtNs, this.#readyWait.wakeAtNs));
      case 'waitingForStart':
        return this.#withStops(earlier(this.#paceAtNs, this.#startWait.wakeAtNs));
    }
  }

  get startSignals(): number {
    return this.#startSignals;
  }

  standStill(atNs: bigint, ids: readonly number[], prepared: PreparedStop): readonly StandStill[] {
    const { stops } = this.#controllers.supervision;
    const now = this.#momentAt(atNs);
    return ids.flatMap((id) => stops.standStill(id, now, prepared));
  }

  sentCommands(): readonly ({ readonly id: number } & SentCommands)[] {
    const { vehicleIds, supervision } = this.#controllers;
    return vehicleIds.map((id) => ({ id, ...supervision.stops.sent(id) }));
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

  /** The events that every phase before `stopping` handles in the same way. */
  readonly #always = {
    vehicleState: (event) => {
      const { sample, receivedAtNs } = event;
      this.#observe(event);
      if (this.#isAcceptable(sample, receivedAtNs)) {
        this.#worlds.putState(sample, this.#horizon(receivedAtNs));
      }
      return this.#phase;
    },
    vehicleObservation: ({ sample, receivedAtNs }) => {
      if (this.#isAcceptable(sample, receivedAtNs)) {
        this.#worlds.putObservation(sample, this.#horizon(receivedAtNs));
      }
      return this.#phase;
    },
    command: (event) => {
      const receivedNs = this.#realtimeAt(event.receivedAtNs);
      const now = this.#momentAt(event.atNs);
      this.#controllers.command(event, receivedNs, now, this.#effects);
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
    vehiclesStopped: (event) => {
      this.#controllers.vehiclesStopped(event, this.#momentAt(event.atNs), this.#effects);
      return this.#phase;
    },
    startSent: () => this.#phase,
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
        if (nextStartNs === stopSymbol) return this.#end('stopTrigger', receivedAtNs);
        this.#heldTriggerNs = nextStartNs;
        return this.#phase;
      },
      wake: ({ now }) => {
        this.#renew(now);
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
        nextStartNs === stopSymbol
          ? this.#end('stopTrigger', receivedAtNs)
          : this.#beginByTrigger(nextStartNs, receivedAtNs),
      writerChanged: (event) => {
        this.#always.writerChanged(event);
        if (this.#controllers.readiness.complete) return this.#phase;
        this.#readyWait.start(event.atNs);
        return 'waitingForControllers';
      },
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
      ...this.#always,
      systemTrigger: ({ nextStartNs, receivedAtNs }) => {
        if (nextStartNs === stopSymbol) return this.#end('stopTrigger', receivedAtNs);
        // A lab control may repeat its trigger: nobody asks for a resume then.
        if (nextStartNs > this.#triggeredNs) this.#triggered(nextStartNs);
        return this.#phase;
      },
      startSent: (event) => this.#started(event),
      wake: ({ now }) => this.#tick(now),
    },
    stopping: {
      ...remains('stopping'),
      // It went out before the end was decided, and was reported after it.
      startSent: (event) => {
        this.#report(event);
        return this.#phase;
      },
      vehicleState: (event) => {
        this.#observe(event);
        return this.#phase;
      },
      vehiclesStopped: (event) => {
        this.#controllers.takeOver(event, this.#momentAt(event.atNs), this.#effects);
        return this.#phase;
      },
      wake: ({ now }) => {
        this.#commit(pace(this.#pacing, now), this.#effects);
        return this.#goOnStopping(this.#momentAt(now.monotonicNs));
      },
    },
    ended: remains('ended'),
  };

  #signIn(event: ReadySignalEvent): void {
    const signedIn = this.#controllers.readySignal(event, this.#effects);
    if (signedIn?.admitted === true && this.#config.listAdmitted) this.#worlds.add(signedIn.id);
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

  #triggered(nextStartNs: bigint): void {
    this.#triggeredNs = later(this.#triggeredNs, nextStartNs);
    this.#controllers.triggered(this.#effects);
  }

  /**
   * Plans the first start at the first grid time not before `earliestNs`, not past, and not while the
   * session only listens.
   */
  #begin(earliestNs: bigint, nowNs: bigint): RealTimePhase {
    const realtimeNs = this.#realtimeAt(later(nowNs, this.#listensUntilNs));
    this.#pacing = planFirst(this.#pacing, later(earliestNs, realtimeNs));
    this.#paceAtNs = nowNs;
    return 'running';
  }

  #tick(now: ClockReading): RealTimePhase {
    this.#prepared.forgetOverdue(now.monotonicNs);
    const result = pace(this.#pacing, now);
    const { start, halted } = result;
    const reports: PlainEffect<C>[] = [];
    if (start === null) {
      this.#commit(result, reports);
      this.#prepareExpected(now.monotonicNs);
    } else if (this.#startsLeft > 0) {
      // It counts when it went out: `startSent` says so.
      this.#prepare(start.tNowNs, now.monotonicNs - start.latenessNs, now.monotonicNs);
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
    const over = this.#startsLeft === 0 && !replies.isOpen;
    return over && !replies.judgementDue ? this.#end('periodsDone', now.monotonicNs) : this.#phase;
  }

  /** Judges the period before when that is due, stops silent controllers, goes on with stops. */
  #supervise(now: ClockReading, reports: EffectSink<C>): void {
    const controllers = this.#controllers;
    const { stops } = controllers.supervision;
    const moment = this.#momentAt(now.monotonicNs);
    if (now.monotonicNs >= this.#judgeAtNs) controllers.judge(moment, reports);
    controllers.expire(moment, reports);
    if (stops.nextAtNs !== null && stops.nextAtNs <= now.monotonicNs) stops.act(moment, reports);
  }

  /** Reports a start signal that went out; null when it is of no plan of this session. */
  #report(event: StartSentEvent): { readonly dueAtNs: bigint } | null {
    const sent = this.#prepared.sent(event);
    if (sent === null) return null;
    this.#effects.push(sent.report);
    this.#startSignals++;
    return sent;
  }

  /** A start signal went out: its period begins. */
  #started(event: StartSentEvent): RealTimePhase {
    const sent = this.#report(event);
    if (sent === null) return this.#phase;
    const { index, tNowNs, now } = event;
    const reports: PlainEffect<C>[] = [];
    const result = paceStarted(this.#pacing, { tNowNs, dueAtNs: sent.dueAtNs }, now);
    this.#commit(result, reports);
    const moment = this.#momentAt(now.monotonicNs);
    const controllers = this.#controllers;
    controllers.judge(moment, reports);
    // The misses of one that is out are of interest only where nothing else follows from them.
    const asked = (id: number): boolean =>
      controllers.takesPart(id) || controllers.supervision.isOnlyLogged(id);
    controllers.start(tNowNs, moment.steadyNs, moment, asked, reports);
    if (result.skipped > 0) controllers.replies.excuse();
    this.#prepared.begun(index);
    this.#judgeAtNs = now.monotonicNs + this.#config.judgeDelayNs;
    this.#worlds.settle(tNowNs);
    if (now.monotonicNs >= this.#judgeAtNs) controllers.judge(moment, reports);
    this.#effects.push(...reports);
    // After a start signal that was late, the next one may be due at once.
    this.#prepareExpected(now.monotonicNs);
    return this.#phase;
  }

  /** Prepares the next start signal when it is time to. */
  #prepareExpected(nowNs: bigint): void {
    const expected = expectedStart(this.#pacing);
    if (expected === null || this.#startsLeft === 0) return;
    const { tNowNs, dueAtNs } = expected;
    if (nowNs >= dueAtNs - startLead(this.#config.periodNs)) this.#prepare(tNowNs, dueAtNs, nowNs);
  }

  #prepare(tNowNs: bigint, dueAtNs: bigint, nowNs: bigint): void {
    const prepared = this.#prepared;
    if (prepared.has(tNowNs, dueAtNs)) return;
    const { periodNs, latestStartNs: latestNs } = this.#config;
    // The other policies say themselves what follows a start signal that is late.
    const left = this.#config.overrun.kind === 'skip' ? this.#startsLeft : 1;
    const start = { index: prepared.nextIndex, tNowNs, dueAtNs };
    const slots = startSlots(start, periodNs, nowNs, { latestNs, left });
    this.#effects.push(prepared.prepare(this.#worlds.peek(tNowNs, periodNs), dueAtNs, slots));
  }

  get #startsLeft(): number {
    const { periods } = this.#config;
    return periods === null ? Number.POSITIVE_INFINITY : periods - this.#startSignals;
  }

  #nextRunningNs(): bigint {
    const { replies } = this.#controllers;
    const wakeNs = earlier(this.#nextPaceNs(), this.#pacing.readAtNs + nsPerS);
    return this.#withStops(replies.judgementDue ? earlier(wakeNs, this.#judgeAtNs) : wakeNs);
  }

  #nextPaceNs(): bigint {
    if (this.#startsLeft === 0) return this.#paceAtNs;
    const { notAfterNs } = this.#prepared;
    // One that did not go out until then is an overrun.
    if (notAfterNs !== null) return notAfterNs + 1n;
    const expected = expectedStart(this.#pacing);
    if (expected === null) return this.#paceAtNs;
    return expected.dueAtNs - startLead(this.#config.periodNs);
  }

  #withStops(wakeNs: bigint): bigint {
    const { stops, deadlineNs } = this.#controllers.supervision;
    const { nextAtNs } = stops;
    const soonestNs = nextAtNs === null ? wakeNs : earlier(wakeNs, nextAtNs);
    return deadlineNs === null ? soonestNs : earlier(soonestNs, deadlineNs);
  }

  /** While no start is planned: renews the relation of the clocks, and goes on with stops. */
  #renew(now: ClockReading): void {
    this.#commit(pace(this.#pacing, now), this.#effects);
    this.#supervise(now, this.#effects);
  }

  /** Takes over what the pacing found. */
  #commit(result: PaceResult, reports: EffectSink<C>): void {
    this.#pacing = result.pacing;
    this.#paceAtNs = result.wakeAtNs;
    if (result.clockStepNs !== null) {
      this.#controllers.clockStepped(result.clockStepNs);
      this.#worlds.clockStepped(result.clockStepNs);
      reports.push({ kind: 'clockStepped', stepNs: result.clockStepNs });
    }
    if (result.skipped > 0) reports.push({ kind: 'periodsSkipped', count: result.skipped });
  }

  #end(reason: EndReason, atNs: bigint): RealTimePhase {
    const now = this.#momentAt(atNs);
    const { supervision } = this.#controllers;
    this.#pacing = { ...this.#pacing, target: { kind: 'none' } };
    this.#effects.push({ kind: 'cancelStart' });
    this.#ending = new Ending(reason, supervision, now, this.#config.endTimeoutNs);
    this.#ending.begin(now, this.#effects);
    return this.#goOnStopping(now);
  }

  #goOnStopping(now: Moment): RealTimePhase {
    return this.#ending?.goOn(now, this.#effects) === false ? 'stopping' : 'ended';
  }

  #observe({ sample, motion: { speedMps, pose }, receivedAtNs }: VehicleStateEvent<S>): void {
    const { vehicleId, createStampNs } = sample;
    const { stops } = this.#controllers.supervision;
    stops.observe(vehicleId, { speedMps, pose, createStampNs }, receivedAtNs);
  }

  #isAcceptable(sample: VehicleSample<unknown>, receivedAtNs: bigint): boolean {
    const aheadNs = tooFarAheadNs(sample, this.#realtimeAt(receivedAtNs));
    if (aheadNs === null) return true;
    this.#effects.push({ kind: 'stateRefused', id: sample.vehicleId, aheadNs });
    return false;
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
