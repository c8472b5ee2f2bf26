import { BoundedWait } from './bounded-wait.js';
import type { Command } from './command.js';
import { Controllers, type SignedIn } from './controllers.js';
import type { Effect, EffectSink, EndReason } from './effects.js';
import { Ending } from './ending.js';
import type { SessionConfig } from './session-config.js';
import type {
  CommandEvent,
  ReadySignalEvent,
  ResumeEvent,
  VehicleObservationEvent,
  VehiclesStoppedEvent,
  VehicleStateEvent,
  WriterChangedEvent,
} from './session-events.js';
import { remains } from './session.js';
import type { PreparedStop, StandStill } from './stop/stand-still.js';
import type { SentCommands } from './stop/supervised-vehicle.js';
import { earlier, nsPerS, type Moment } from './time.js';
import { tooFarAheadNs, type VehicleSample } from './world.js';
import { Worlds } from './worlds.js';

/** Most events have no effects. */
const noEffects: readonly never[] = [];

/** Interval at which the missing are named and the sign-in to the lab is repeated, ns. */
export const repeatNs = 2n * nsPerS;

/** The time by which a session judges its events. Arguments are monotonic instants, ns. */
export interface SessionClock {
  /** Of an event. */
  momentAt(monotonicNs: bigint): Moment;
  /** The same for a question, which changes nothing. */
  peekAt(monotonicNs: bigint): Moment;
  /** The steady time of that moment, ns. */
  steadyAt(monotonicNs: bigint): bigint;
  /** The monotonic instant of a steady time, ns. */
  monotonicOf(steadyNs: bigint): bigint;
  /** The time with which the stamps of a sample are compared, ns. */
  sampleNowNs(receivedAtNs: bigint): bigint;
  /** No start signal of an earlier time than this is made any more, ns. @param nowNs as `sampleNowNs` gives it. */
  horizonNs(nowNs: bigint): bigint;
}

/**
 * What both kinds of session have and do alike: the controllers, the vehicles, the effects of the
 * event under way, and the end of the run.
 */
export class CommonSession<S, O, C extends Command> {
  readonly controllers: Controllers<C>;
  readonly worlds: Worlds<S, O>;
  /** Of the events since {@link takeEffects}, in their order. */
  readonly effects: Effect<S, O, C>[] = [];
  readonly readyWait: BoundedWait;
  readonly #config: SessionConfig;
  readonly #clock: SessionClock;
  #ending: Ending | null = null;

  /** @throws HlcError `HLC_VEHICLE_IDS`. */
  constructor(config: SessionConfig, time: 'real' | 'simulated', clock: SessionClock) {
    this.#config = config;
    this.#clock = clock;
    this.controllers = new Controllers(config, time);
    this.worlds = new Worlds(config.activeVehicleIds);
    this.readyWait = new BoundedWait(config.readyTimeoutNs, repeatNs);
  }

  /** The wait for the controllers begins, and vehicles that an earlier run stopped are stopped. */
  begin(nowNs: bigint): void {
    this.readyWait.start(nowNs);
    this.controllers.supervision.stopLatched(this.#clock.momentAt(nowNs), this.effects);
  }

  takeEffects(): readonly Effect<S, O, C>[] {
    return this.effects.length === 0 ? noEffects : this.effects.splice(0);
  }

  standStill(atNs: bigint, ids: readonly number[], prepared?: PreparedStop): readonly StandStill[] {
    const { stops } = this.controllers.supervision;
    const now = this.#clock.peekAt(atNs);
    return ids.flatMap((id) => stops.standStill(id, now, prepared));
  }

  sentCommands(): readonly ({ readonly id: number } & SentCommands)[] {
    const { vehicleIds, supervision } = this.controllers;
    return vehicleIds.map((id) => ({ id, ...supervision.stops.sent(id) }));
  }

  /** Handlers that leave the phase, in every phase but the last two. */
  handlers<Phase>(phase: () => Phase) {
    const { controllers, worlds, effects } = this;
    const clock = this.#clock;
    return {
      vehicleState: (event: VehicleStateEvent<S>): Phase => {
        const { sample, receivedAtNs } = event;
        const nowNs = clock.sampleNowNs(receivedAtNs);
        this.#observe(event, nowNs);
        if (this.#isAcceptable(sample, nowNs)) {
          worlds.putState(sample, clock.horizonNs(nowNs));
        }
        return phase();
      },
      vehicleObservation: ({ sample, receivedAtNs }: VehicleObservationEvent<O>): Phase => {
        const nowNs = clock.sampleNowNs(receivedAtNs);
        if (this.#isAcceptable(sample, nowNs)) {
          worlds.putObservation(sample, clock.horizonNs(nowNs));
        }
        return phase();
      },
      command: (event: CommandEvent<C>): Phase => {
        const { stampNs } = clock.momentAt(event.receivedAtNs);
        controllers.command(event, stampNs, clock.momentAt(event.atNs), effects);
        return phase();
      },
      readySignal: (event: ReadySignalEvent): Phase => {
        this.signIn(event);
        return phase();
      },
      writerChanged: (event: WriterChangedEvent): Phase => {
        this.writerChanged(event);
        return phase();
      },
      resume: ({ ids }: ResumeEvent): Phase => {
        controllers.resume(ids, effects);
        return phase();
      },
      vehiclesStopped: (event: VehiclesStoppedEvent): Phase => {
        controllers.vehiclesStopped(event, clock.momentAt(event.atNs), effects);
        return phase();
      },
      startSent: phase,
    };
  }

  /** Handlers while the vehicles are brought to rest at the end. */
  stoppingHandlers() {
    return {
      ...remains('stopping' as const),
      vehicleState: (event: VehicleStateEvent<S>) => {
        this.#observe(event, this.#clock.sampleNowNs(event.receivedAtNs));
        return 'stopping' as const;
      },
      vehiclesStopped: (event: VehiclesStoppedEvent) => {
        this.controllers.takeOver(event, this.#clock.momentAt(event.atNs), this.effects);
        return 'stopping' as const;
      },
    };
  }

  /** A ready signal; null when it is none of a controller, or of a second process. */
  signIn(event: ReadySignalEvent): SignedIn | null {
    const signedIn = this.controllers.readySignal(event, this.effects);
    if (signedIn?.admitted === true && this.#config.listAdmitted) this.worlds.add(signedIn.id);
    return signedIn;
  }

  /** @returns the controllers whose process is gone with the writer. */
  writerChanged(event: WriterChangedEvent): readonly number[] {
    const now = this.#clock.momentAt(event.atNs);
    return this.controllers.writerChanged(event, now, this.effects);
  }

  /** Before the first start signal, the loss of a controller closes the barrier again. */
  whileWaiting<Phase>(event: WriterChangedEvent, phase: Phase): Phase | 'waitingForControllers' {
    this.writerChanged(event);
    if (this.controllers.readiness.complete) return phase;
    this.readyWait.start(event.atNs);
    return 'waitingForControllers';
  }

  /** Names the controllers without a ready signal when that is due; true when the time-out is over. */
  readyTimedOut(nowNs: bigint): boolean {
    const { name, timedOut, waitedNs } = this.readyWait.check(nowNs);
    if (name || timedOut) {
      const ids = this.controllers.readiness.missing();
      this.effects.push({ kind: 'controllersMissing', ids, awaited: 'readySignal', waitedNs });
    }
    return timedOut;
  }

  /** Repeats stop commands when that is due. */
  actOnStops(now: Moment, effects: EffectSink<C>): void {
    const { stops } = this.controllers.supervision;
    if (stops.nextAtNs !== null && stops.nextAtNs <= now.steadyNs) stops.act(now, effects);
  }

  /** The earliest of this monotonic instant, ns, the next repetition of stop commands and the next stop. */
  withStops(wakeNs: bigint | null): bigint | null {
    const { stops, deadlineNs } = this.controllers.supervision;
    return this.#soonest(this.#soonest(wakeNs, stops.nextAtNs), deadlineNs);
  }

  /** The earlier of a monotonic and a steady instant, as a monotonic one, ns; null: there is none. */
  #soonest(atNs: bigint | null, steadyNs: bigint | null): bigint | null {
    if (steadyNs === null) return atNs;
    const otherNs = this.#clock.monotonicOf(steadyNs);
    return atNs === null ? otherNs : earlier(atNs, otherNs);
  }

  /** When {@link goOnStopping} is due, monotonic, ns. */
  get stoppingAtNs(): bigint | null {
    return this.#ending === null ? null : this.#clock.monotonicOf(this.#ending.nextAtNs);
  }

  end(reason: EndReason, atNs: bigint): 'stopping' | 'ended' {
    const now = this.#clock.momentAt(atNs);
    const { supervision } = this.controllers;
    this.#ending = new Ending(reason, supervision, now, this.#config.endTimeoutNs);
    this.#ending.begin(now, this.effects);
    return this.goOnStopping(now);
  }

  goOnStopping(now: Moment): 'stopping' | 'ended' {
    return this.#ending?.goOn(now, this.effects) === false ? 'stopping' : 'ended';
  }

  /** @param stampNs the clock of the stamps at its reception. */
  #observe({ sample, motion, receivedAtNs }: VehicleStateEvent<S>, stampNs: bigint): void {
    const { stops } = this.controllers.supervision;
    const steadyNs = this.#clock.steadyAt(receivedAtNs);
    stops.observe(sample.vehicleId, motion, { steadyNs, stampNs });
  }

  #isAcceptable(sample: VehicleSample<unknown>, nowNs: bigint): boolean {
    const aheadNs = tooFarAheadNs(sample, nowNs);
    if (aheadNs === null) return true;
    this.effects.push({ kind: 'stateRefused', id: sample.vehicleId, aheadNs });
    return false;
  }
}
