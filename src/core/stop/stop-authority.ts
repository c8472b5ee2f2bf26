import { earlier, later, nsPerMs, nsPerS, toS, type Moment } from '../time.js';
import { type Command, createStampOf, validAfterOf } from '../command.js';
import type { EffectSink } from '../effects.js';
import type { VehicleProfile } from '../vehicle-obedience.js';
import type { Stopped } from './braking-place.js';
import { ForwardedCommands, planOf } from './forwarded-commands.js';
import { type PreparedStop, type StandStill, standStillCommands } from './stand-still.js';
import { type BesidePlan, besidePlan, isBack } from './stop-place.js';
import { commandedSpeed, isOver, restamped, type Stamps, unseenCommand } from './stop-commands.js';
import { type StampedMotion, VehicleMotion } from './vehicle-motion.js';
import { RealVehicleClock, SimulatedVehicleClock, type VehicleClock } from './vehicle-clock.js';
import { negligibleNs, type StopOutcome, type StopSettings, VehicleStop } from './vehicle-stop.js';

/** Stop commands are repeated at least this often, ns. */
const longestRepeatNs = 50n * nsPerMs;

/** Stop commands are repeated for this long while simulated time stands, ns. */
export const repeatedWhileStandingNs = nsPerS;

/** How vehicles take commands, and how they are brought to rest. */
export interface StopConfig extends StopSettings {
  readonly profile: VehicleProfile;
}

/** What was sent to one vehicle. Stamps are -1 when nothing was. */
export interface SentCommands {
  readonly kinds: readonly Command['kind'][];
  /** Highest create stamp, ns. */
  readonly newestCreateNs: bigint;
  /** Highest valid-after stamp, ns. */
  readonly newestValidNs: bigint;
  /** The vehicle may obey them until this time of the stamps, ns; null: without an end. */
  readonly obeyedUntilNs: bigint | null;
}

interface SentCommand {
  readonly command: Command;
  /** When it was sent, by the clock of the vehicle. */
  readonly at: Moment;
}

interface Vehicle {
  readonly id: number;
  readonly clock: VehicleClock;
  /** The instants of these are of that clock. */
  readonly forwarded: ForwardedCommands;
  readonly motion: VehicleMotion;
  /** Undefined while its controller drives it. */
  stop: VehicleStop | undefined;
  /** The newest commands of its stop, or of another program's meanwhile, by kind: it obeys them after the stop, too. */
  readonly stoppedBy: Map<Command['kind'], SentCommand>;
  /** How its stop ended; null before that, and again when the vehicle moves. */
  outcome: StopOutcome | null;
  startedAtNs: bigint;
  /** When the stop last had to answer at once, steady, ns; null: not yet. */
  answeredAtNs: bigint | null;
  isAnswerDue: boolean;
  /** From which speed another program brakes it since this stamp, m/s and ns. */
  brakedElsewhere: { readonly fromMps: number; readonly stampNs: bigint };
  /** Where it was seen beside its plan before its pose jumped last; null: there was no plan. */
  jumpedFrom: BesidePlan | null;
}

/**
 * The one authority over stops: it knows what was forwarded to each vehicle and may still be obeyed,
 * and how the vehicle moves, and gives the commands that bring it to rest. A stop goes on until the
 * vehicle stands; a vehicle that moves again while it is stopped is stopped again. Steady instants of
 * all calls rise.
 */
export class StopAuthority {
  readonly #config: StopConfig;
  readonly #periodNs: bigint;
  readonly #repeatNs: bigint;
  readonly #time: 'real' | 'simulated';
  readonly #vehicles = new Map<number, Vehicle>();
  readonly #nothingForwarded: ForwardedCommands;
  /** When all stops are to be repeated, steady, ns. */
  #repeatAtNs: bigint | null = null;
  /** When single stops are to be repeated before that, steady, ns. */
  #answerAtNs: bigint | null = null;

  /**
   * @param periodNs above 0.
   * @param time simulated time stands while this program is held up.
   */
  constructor(config: StopConfig, periodNs: bigint, time: 'real' | 'simulated') {
    this.#config = config;
    this.#nothingForwarded = new ForwardedCommands(config.profile);
    this.#periodNs = periodNs;
    this.#time = time;
    this.#repeatNs = earlier(periodNs, longestRepeatNs);
  }

  /** When {@link act} is due, steady, ns; null while no vehicle is being stopped. */
  get nextAtNs(): bigint | null {
    return this.#answerAtNs ?? this.#repeatAtNs;
  }

  /** The vehicles that were commanded, in no order. */
  get commandedIds(): number[] {
    return [...this.#vehicles.values()].flatMap(({ id, forwarded }) =>
      forwarded.kinds.length === 0 ? [] : [id],
    );
  }

  /** True when the states of the vehicle show that it stands. */
  isAtRest(id: number): boolean {
    return this.#vehicles.get(id)?.motion.isAtRest ?? false;
  }

  /** True while the vehicle is being brought to rest. */
  isStopping(id: number): boolean {
    const vehicle = this.#vehicles.get(id);
    return vehicle?.stop !== undefined && vehicle.outcome === null;
  }

  /** True when a command for the vehicle is in force, and no stop. */
  isDriven(id: number, now: Moment): boolean {
    const vehicle = this.#vehicles.get(id);
    if (vehicle === undefined || vehicle.stop !== undefined) return false;
    return vehicle.forwarded.kindsInForce(vehicle.clock.momentOf(now).steadyNs).length > 0;
  }

  /** True when a command of its controller waits for its time to come. */
  hasPending(id: number, now: Moment): boolean {
    const vehicle = this.#vehicles.get(id);
    return vehicle?.forwarded.hasPending(vehicle.clock.momentOf(now).steadyNs) ?? false;
  }

  /** True from the begin of a stop until the vehicle is released. */
  isHeld(id: number): boolean {
    return this.#vehicles.get(id)?.stop !== undefined;
  }

  /** The speed that the last command of its stop asks for, m/s; 0 where there is none. */
  speedOf(id: number): number {
    return this.#vehicles.get(id)?.stop?.speedMps ?? 0;
  }

  /** The vehicles that are being brought to rest, in no order. */
  get stopping(): number[] {
    return this.commandedIds.filter((id) => this.isStopping(id));
  }

  /**
   * A command goes to its vehicle. One that is forwarded in spite of a stop makes the stop begin
   * anew, at speed 0: at once, but in real time at most once per repeat. Two programs that outrank
   * each other would flood the vehicle without that bound.
   */
  forwarded(command: Command, now: Moment): void {
    const vehicle = this.#vehicle(command.message.vehicle_id);
    const own = vehicle.clock.advanceTo(now);
    vehicle.forwarded.add(command, own);
    if (vehicle.stop === undefined) return;
    vehicle.stop.renew(own.steadyNs);
    vehicle.outcome = null;
    this.#answer(vehicle, now.steadyNs);
  }

  /**
   * True for a command that brings a vehicle to rest which is being stopped: it holds now, and asks for no
   * more than the stop, but for what the vehicle brakes between two repeats.
   */
  isNotFaster(command: Command, now: Moment): boolean {
    const { stop, clock } = this.#vehicle(command.message.vehicle_id);
    const speed = speedOfStop(command, clock.momentOf(now));
    if (stop === undefined || speed === null) return false;
    const slack = (this.#config.brakingMps2 * Number(2n * this.#repeatNs)) / 1e9;
    return speed === 0 || (stop.speedMps > 0 && speed <= stop.speedMps + slack);
  }

  /**
   * A command of another program that brings this vehicle to rest went to it. It counts as forwarded,
   * unless a stop is under way: that goes on, not faster than the other one, and outranks it with its
   * next repeat.
   */
  stoppedElsewhere(command: Command, now: Moment): void {
    const { forwarded, stop, stoppedBy, clock } = this.#vehicle(command.message.vehicle_id);
    const own = clock.advanceTo(now);
    if (stop === undefined || !forwarded.kinds.includes(command.kind)) forwarded.add(command, own);
    else stoppedBy.set(command.kind, { command, at: own });
    forwarded.stamped(createStampOf(command), validAfterOf(command));
    // A vehicle obeys the first kind of its profile: others may already say rest while that one brakes.
    const [obeyed = command.kind] = forwarded.kindsInForce(own.steadyNs);
    if (obeyed === command.kind) stop?.slowTo(speedOfStop(command, own), own.steadyNs);
  }

  /**
   * Commands of these kinds went to a vehicle without being seen here, or some of them.
   * @param stamps the highest of all, ns.
   * @param speedMps where these were commands of a stop, what the one with the highest create stamp asks for, m/s.
   */
  sentUnseen(
    id: number,
    kinds: readonly Command['kind'][],
    stamps: Stamps,
    now: Moment,
    speedMps = 0,
  ): void {
    const vehicle = this.#vehicle(id);
    const { forwarded, clock } = vehicle;
    const own = clock.advanceTo(now);
    vehicle.brakedElsewhere = { fromMps: speedMps, stampNs: stamps.createNs };
    for (const kind of kinds) {
      if (forwarded.kinds.includes(kind)) continue;
      // It may hold now, whatever waits for its time.
      const validNs = earlier(stamps.validNs, own.stampNs);
      forwarded.add(unseenCommand(kind, id, { ...stamps, validNs }), own, -1n);
    }
    // Each status of a middleware names the same stamps.
    if (kinds.length > 0 && stamps.validNs > forwarded.newestValidNs) {
      forwarded.awaits(stamps.validNs, own);
    }
    forwarded.stamped(stamps.createNs, stamps.validNs);
  }

  /** What was sent to a vehicle, its own stops included, and how long that may be obeyed. */
  sent(id: number): SentCommands {
    // Reading adds no vehicle, so that only events determine the order of vehicles.
    const forwarded = this.#vehicles.get(id)?.forwarded ?? this.#nothingForwarded;
    const { kinds, newestCreateNs, newestValidNs } = forwarded;
    const { timeoutNs } = this.#config.profile;
    const obeyedUntilNs = timeoutNs === null ? null : newestValidNs + timeoutNs;
    return { kinds: [...kinds], newestCreateNs, newestValidNs, obeyedUntilNs };
  }

  /** Its controller drives the vehicle again. */
  release(id: number): void {
    const vehicle = this.#vehicles.get(id);
    if (vehicle?.stop === undefined) return;
    vehicle.stop = undefined;
    for (const { command, at } of vehicle.stoppedBy.values()) vehicle.forwarded.add(command, at);
    vehicle.stoppedBy.clear();
  }

  /** A state of a vehicle came. @param received in simulated time its stamp is that of the next step. */
  observe(id: number, state: StampedMotion, received: Moment): void {
    const vehicle = this.#vehicle(id);
    const { clock, motion, forwarded, stop } = vehicle;
    const at = clock.seen(state.createStampNs, received);
    // While simulated time stands, new states have the same stamp.
    const sample = this.#time === 'real' ? state : { ...state, createStampNs: 0n };
    const atNs = at.steadyNs;
    if (stop !== undefined) {
      const wasFresh = motion.isFresh(atNs);
      if (!motion.observe(sample, at)) return;
      // It may be elsewhere than its stop supposes.
      const isSeenAgain = !wasFresh && motion.isFresh(atNs);
      const isDue =
        this.#time === 'real'
          ? isSeenAgain
          : vehicle.outcome === null && stop.isDue(atNs, this.#repeatNs);
      if (isDue) this.#answer(vehicle, received.steadyNs);
      return;
    }
    const hadJumped = motion.hasJumped;
    if (!motion.observe(sample, at) || !motion.hasJumped) return;
    const plan = forwarded.newest('trajectory', atNs);
    if (!hadJumped) vehicle.jumpedFrom = besidePlan(plan, motion.jumpedFrom);
    if (isBack(vehicle.jumpedFrom, besidePlan(plan, motion.sighting))) motion.confirm();
  }

  /**
   * Begins to bring a vehicle to rest. Nothing happens while that is under way, unless another program has
   * stopped the vehicle, and for a vehicle that was never commanded.
   * In real time, the first command for a vehicle that obeys no command any more, or whose plan is over, waits
   * one repeat when its last state is older than that: this program may have been held up, and a place of before
   * would move the vehicle.
   * @param stopped by another program, already.
   */
  begin<C extends Command>(
    id: number,
    now: Moment,
    effects: EffectSink<C>,
    stopped: Stopped = 'no',
  ): void {
    const vehicle = this.#vehicle(id);
    const { clock, forwarded, motion } = vehicle;
    const own = clock.advanceTo(now);
    const isOnPlan = stopped === 'exceptOnPlan' && vehicle.stop?.isOnPlan(own.steadyNs) === true;
    const brakedMps = stopped === 'yes' ? this.#brakedMps(vehicle, own) : 0;
    if (stopped !== 'no' && !isOnPlan) {
      vehicle.stop?.takeOver(stopped, brakedMps, own.steadyNs, now.steadyNs);
    }
    if (vehicle.stop !== undefined || forwarded.kinds.length === 0) return;
    vehicle.stop = new VehicleStop(forwarded, motion, this.#config, own, {
      stopped,
      brakedMps,
      runsNs: now.steadyNs,
    });
    vehicle.outcome = null;
    vehicle.startedAtNs = now.steadyNs;
    const waits =
      (vehicle.stop.obeyedNothing || vehicle.stop.isPlanOver) &&
      this.#time === 'real' &&
      !motion.isSeenSince(now.steadyNs - this.#repeatNs);
    if (!waits) this.#command(vehicle, now, effects);
    this.#repeatAtNs = earlier(
      this.#repeatAtNs ?? now.steadyNs + this.#repeatNs,
      now.steadyNs + this.#repeatNs,
    );
  }

  /** Repeats the commands of the stops that are due, and says which stops are over. */
  act<C extends Command>(now: Moment, effects: EffectSink<C>): void {
    const repeatsAll =
      this.#answerAtNs === null || (this.#repeatAtNs ?? now.steadyNs) <= now.steadyNs;
    let isActive = false;
    for (const vehicle of this.#vehicles.values()) {
      if (vehicle.stop === undefined) continue;
      isActive = true;
      if (repeatsAll || vehicle.isAnswerDue) this.#goOn(vehicle, vehicle.stop, now, effects);
      vehicle.isAnswerDue = false;
    }
    this.#answerAtNs = null;
    if (repeatsAll) this.#repeatAtNs = isActive ? now.steadyNs + this.#repeatNs : null;
  }

  /**
   * The commands of a vehicle's controller once more, made now; empty when the vehicle obeys none of
   * them any more.
   */
  repeated(id: number, now: Moment): Command[] {
    const { clock, forwarded } = this.#vehicle(id);
    const { steadyNs, stampNs } = clock.momentOf(now);
    const createNs = later(stampNs, forwarded.newestCreateNs + 1n);
    const commands: Command[] = [];
    const kinds = forwarded.kindsInForce(steadyNs);
    // Those of one reply belong together.
    if (kinds.some((kind) => forwarded.mayHaveTimedOut(kind, steadyNs))) return commands;
    for (const kind of kinds) {
      const last = forwarded.newest(kind, steadyNs);
      if (last === null || isOver(last.command, stampNs)) continue;
      commands.push(restamped(last, { createNs, validNs: stampNs }));
    }
    return commands;
  }

  /** The commands that make a vehicle stand still, sent now or prepared, as {@link standStillCommands} says. */
  standStill(id: number, now: Moment, prepared: PreparedStop | null = null): StandStill[] {
    const vehicle = this.#vehicle(id);
    const own = vehicle.clock.momentOf(now);
    const { brakingMps2 } = this.#config;
    return standStillCommands(vehicle, brakingMps2, own, prepared, this.#time);
  }

  /**
   * In simulated time: true when these vehicles have not come to a later time since this instant, steady, ns, and were
   * commanded all that can be commanded meanwhile.
   */
  haveStoodSince(steadyNs: bigint, ids: readonly number[]): boolean {
    return ids.every((id) => hasStoodSince(this.#vehicle(id), steadyNs));
  }

  /** The run ends while the time of a vehicle stands: its last commands bring it to rest whether that goes on or not. */
  finish<C extends Command>(id: number, now: Moment, effects: EffectSink<C>): void {
    this.#stopped(this.#vehicle(id), 'silent', now, effects);
  }

  #goOn<C extends Command>(
    vehicle: Vehicle,
    stop: VehicleStop,
    now: Moment,
    effects: EffectSink<C>,
  ): void {
    const { steadyNs } = vehicle.clock.advanceTo(now);
    const outcome = stop.outcome(steadyNs);
    if (outcome === null) {
      if (vehicle.outcome !== null) stop.movesAgain(steadyNs);
      if (vehicle.outcome === 'atRest' && !vehicle.motion.isAtRest) {
        effects.push({ kind: 'vehicleMovesAgain', id: vehicle.id });
      }
      vehicle.outcome = null;
      const sinceNs = now.steadyNs - repeatedWhileStandingNs;
      const isHeldUp = vehicle.startedAtNs < sinceNs && hasStoodSince(vehicle, sinceNs);
      if (!isHeldUp || vehicle.isAnswerDue) this.#command(vehicle, now, effects);
    } else if (vehicle.outcome === null) {
      // Where it stands, whatever its poses said on the way there.
      if (outcome === 'atRest') {
        const { hasJumped } = vehicle.motion;
        vehicle.motion.confirm();
        stop.rests(hasJumped, steadyNs);
      }
      this.#stopped(vehicle, outcome, now, effects);
    }
  }

  #stopped<C extends Command>(
    vehicle: Vehicle,
    outcome: StopOutcome,
    now: Moment,
    effects: EffectSink<C>,
  ): void {
    vehicle.outcome = outcome;
    const afterNs = now.steadyNs - vehicle.startedAtNs;
    effects.push({ kind: 'vehicleStopped', id: vehicle.id, outcome, afterNs });
  }

  /** The speed that another program commands now that brakes a vehicle, m/s. */
  #brakedMps({ brakedElsewhere: { fromMps, stampNs } }: Vehicle, now: Moment): number {
    const sinceS = Math.max(0, toS(now.stampNs - stampNs));
    return Math.max(0, fromMps - this.#config.brakingMps2 * sinceS);
  }

  /** The stop is to answer at once, but in real time at most once per repeat. */
  #answer(vehicle: Vehicle, nowNs: bigint): void {
    const freeAtNs = (vehicle.answeredAtNs ?? -this.#repeatNs) + this.#repeatNs;
    if (this.#time === 'real' && nowNs < freeAtNs) return;
    vehicle.answeredAtNs = nowNs;
    vehicle.isAnswerDue = true;
    this.#answerAtNs ??= nowNs;
  }

  #command<C extends Command>(vehicle: Vehicle, now: Moment, effects: EffectSink<C>): void {
    const { id, stop, clock } = vehicle;
    const at = clock.advanceTo(now);
    for (const command of stop?.commands(at, now.steadyNs) ?? []) {
      // Of each kind the one that holds now comes last.
      vehicle.stoppedBy.set(command.kind, { command, at });
      effects.push({ kind: 'commandVehicle', id, cause: 'stop', command });
    }
  }

  #vehicle(id: number): Vehicle {
    let vehicle = this.#vehicles.get(id);
    if (vehicle === undefined) {
      const forwarded = new ForwardedCommands(this.#config.profile);
      const motion = new VehicleMotion(this.#periodNs);
      vehicle = {
        id,
        clock: this.#time === 'real' ? new RealVehicleClock() : new SimulatedVehicleClock(),
        forwarded,
        motion,
        stop: undefined,
        stoppedBy: new Map(),
        outcome: null,
        startedAtNs: 0n,
        answeredAtNs: null,
        isAnswerDue: false,
        brakedElsewhere: { fromMps: 0, stampNs: 0n },
        jumpedFrom: null,
      };
      this.#vehicles.set(id, vehicle);
    }
    return vehicle;
  }
}

function hasStoodSince({ clock, stop }: Vehicle, steadyNs: bigint): boolean {
  return clock.standsSince(steadyNs) && stop?.isSlowedSince(steadyNs) === true;
}

/** Speed from which a stop command of another program brakes now, m/s; null where it does not say. */
function speedOfStop(command: Command, now: Moment): number | null {
  if (validAfterOf(command) - now.stampNs > negligibleNs) return null;
  if (command.kind !== 'trajectory' && command.kind !== 'pathTracking') return null;
  const fromNs = { validFromNs: now.steadyNs, stampedFromNs: now.steadyNs };
  const rankNs = createStampOf(command);
  const forwarded = { command, at: now, ...fromNs, rankNs, plan: planOf(command) };
  return commandedSpeed(forwarded, now.steadyNs);
}
