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

/** What is the same for all vehicles of a session. */
export interface VehicleRules {
  readonly config: StopConfig;
  /** Above 0. */
  readonly periodNs: bigint;
  /** Simulated time stands while this program is held up. */
  readonly time: 'real' | 'simulated';
}

/** From one repeat of stop commands to the next, ns. */
export function repeatNsOf({ periodNs }: Pick<VehicleRules, 'periodNs'>): bigint {
  return earlier(periodNs, longestRepeatNs);
}

/**
 * A vehicle as this program sees it: what was sent to it and may still be obeyed, how it moves, and its stop. Its stop
 * goes on until it stands, and again when it moves while it is stopped.
 */
export class SupervisedVehicle {
  readonly id: number;
  readonly #rules: VehicleRules;
  readonly #repeatNs: bigint;
  readonly #clock: VehicleClock;
  /** The instants of these are of that clock. */
  readonly #forwarded: ForwardedCommands;
  readonly #motion: VehicleMotion;
  /** Undefined while its controller drives it. */
  #stop: VehicleStop | undefined;
  /** The newest commands of its stop, or of another program's meanwhile, by kind: it obeys them after the stop, too. */
  readonly #stoppedBy = new Map<Command['kind'], SentCommand>();
  /** How its stop ended; null before that, and again when the vehicle moves. */
  #outcome: StopOutcome | null = null;
  #startedAtNs = 0n;
  /** When the stop last had to answer at once, steady, ns; null: not yet. */
  #answeredAtNs: bigint | null = null;
  #isAnswerDue = false;
  /** From which speed another program brakes it since this stamp, m/s and ns. */
  #brakedElsewhere = { fromMps: 0, stampNs: 0n };
  /** Where it was seen beside its plan before its pose jumped last; null: there was no plan. */
  #jumpedFrom: BesidePlan | null = null;

  constructor(id: number, rules: VehicleRules) {
    this.id = id;
    this.#rules = rules;
    this.#repeatNs = repeatNsOf(rules);
    this.#clock = rules.time === 'real' ? new RealVehicleClock() : new SimulatedVehicleClock();
    this.#forwarded = new ForwardedCommands(rules.config.profile);
    this.#motion = new VehicleMotion(rules.periodNs);
  }

  get isCommanded(): boolean {
    return this.#forwarded.kinds.length > 0;
  }

  /** True when its states show that it stands. */
  get isAtRest(): boolean {
    return this.#motion.isAtRest;
  }

  /** True while it is being brought to rest. */
  get isStopping(): boolean {
    return this.#stop !== undefined && this.#outcome === null;
  }

  /** True from the begin of a stop until the vehicle is released. */
  get isHeld(): boolean {
    return this.#stop !== undefined;
  }

  /** True when its stop is to be repeated at once. */
  get isAnswerDue(): boolean {
    return this.#isAnswerDue;
  }

  /** The speed that the last command of its stop asks for, m/s; 0 where there is none. */
  get stopMps(): number {
    return this.#stop?.speedMps ?? 0;
  }

  /** What was sent to it, its own stops included, and how long that may be obeyed. */
  get sent(): SentCommands {
    return sentOf(this.#forwarded, this.#rules.config.profile);
  }

  /** True when a command for it is in force, and no stop. */
  isDriven(now: Moment): boolean {
    if (this.#stop !== undefined) return false;
    return this.#forwarded.kindsInForce(this.#clock.momentOf(now).steadyNs).length > 0;
  }

  /** True when a command of its controller waits for its time to come. */
  hasPending(now: Moment): boolean {
    return this.#forwarded.hasPending(this.#clock.momentOf(now).steadyNs);
  }

  /** A command goes to it. One that is forwarded in spite of its stop makes that begin anew, at speed 0. */
  forwarded(command: Command, now: Moment): void {
    const own = this.#clock.advanceTo(now);
    this.#forwarded.add(command, own);
    if (this.#stop === undefined) return;
    this.#stop.renew(own.steadyNs);
    this.#outcome = null;
    this.#answer(now.steadyNs);
  }

  /** As {@link StopAuthority.isNotFaster}. */
  isNotFaster(command: Command, now: Moment): boolean {
    const speed = brakedFrom(command, this.#clock.momentOf(now));
    if (this.#stop === undefined || speed === null) return false;
    const { speedMps } = this.#stop;
    const slack = (this.#rules.config.brakingMps2 * Number(2n * this.#repeatNs)) / 1e9;
    return speed === 0 || (speedMps > 0 && speed <= speedMps + slack);
  }

  /** As {@link StopAuthority.stoppedElsewhere}. */
  stoppedElsewhere(command: Command, now: Moment): void {
    const forwarded = this.#forwarded;
    const own = this.#clock.advanceTo(now);
    if (this.#stop === undefined || !forwarded.kinds.includes(command.kind)) {
      forwarded.add(command, own);
    } else this.#stoppedBy.set(command.kind, { command, at: own });
    forwarded.stamped(createStampOf(command), validAfterOf(command));
    // A vehicle obeys the first kind of its profile: others may already say rest while that one brakes.
    const [obeyed = command.kind] = forwarded.kindsInForce(own.steadyNs);
    if (obeyed !== command.kind || waitsNs(command, own) > negligibleNs) return;
    this.#stop?.slowTo(brakedFrom(command, own), own.steadyNs);
  }

  /** As {@link StopAuthority.sentUnseen}. */
  sentUnseen(
    kinds: readonly Command['kind'][],
    stamps: Stamps,
    now: Moment,
    speedMps: number,
  ): void {
    const forwarded = this.#forwarded;
    const own = this.#clock.advanceTo(now);
    this.#brakedElsewhere = { fromMps: speedMps, stampNs: stamps.createNs };
    for (const kind of kinds) {
      if (forwarded.kinds.includes(kind)) continue;
      // It may hold now, whatever waits for its time.
      const validNs = earlier(stamps.validNs, own.stampNs);
      forwarded.add(unseenCommand(kind, this.id, { ...stamps, validNs }), own, -1n);
    }
    // Each status of a middleware names the same stamps.
    if (kinds.length > 0 && stamps.validNs > forwarded.newestValidNs) {
      forwarded.awaits(stamps.validNs, own);
    }
    forwarded.stamped(stamps.createNs, stamps.validNs);
  }

  /** Its controller drives it again. */
  release(): void {
    if (this.#stop === undefined) return;
    this.#stop = undefined;
    this.#isAnswerDue = false;
    for (const { command, at } of this.#stoppedBy.values()) this.#forwarded.add(command, at);
    this.#stoppedBy.clear();
  }

  /** A state of it came. @param received in simulated time its stamp is that of the next step. */
  observe(state: StampedMotion, received: Moment): void {
    const motion = this.#motion;
    const stop = this.#stop;
    const at = this.#clock.seen(state.createStampNs, received);
    const isReal = this.#rules.time === 'real';
    // While simulated time stands, new states have the same stamp.
    const sample = isReal ? state : { ...state, createStampNs: 0n };
    const atNs = at.steadyNs;
    if (stop !== undefined) {
      const wasFresh = motion.isFresh(atNs);
      if (!motion.observe(sample, at)) return;
      stop.seen(atNs);
      // It may be elsewhere than its stop supposes.
      const isSeenAgain = !wasFresh && motion.isFresh(atNs);
      const isDue = isReal
        ? isSeenAgain
        : this.#outcome === null && stop.isDue(atNs, this.#repeatNs);
      if (isDue) this.#answer(received.steadyNs);
      return;
    }
    const hadJumped = motion.hasJumped;
    if (!motion.observe(sample, at) || !motion.hasJumped) return;
    const plan = this.#forwarded.newest('trajectory', atNs);
    if (!hadJumped) this.#jumpedFrom = besidePlan(plan, motion.jumpedFrom);
    if (isBack(this.#jumpedFrom, besidePlan(plan, motion.sighting))) motion.confirm();
  }

  /**
   * As {@link StopAuthority.begin}.
   * @returns false when nothing has begun.
   */
  begin<C extends Command>(now: Moment, effects: EffectSink<C>, stopped: Stopped): boolean {
    const own = this.#clock.advanceTo(now);
    const isOnPlan = stopped === 'exceptOnPlan' && this.#stop?.isOnPlan(own.steadyNs) === true;
    const brakedMps = stopped === 'yes' ? this.#brakedMps(own) : 0;
    if (stopped !== 'no' && !isOnPlan) {
      this.#stop?.takeOver(stopped, brakedMps, own.steadyNs, now.steadyNs);
    }
    if (this.#stop !== undefined || !this.isCommanded) return false;
    const stop = new VehicleStop(this.#forwarded, this.#motion, this.#rules.config, own, {
      stopped,
      brakedMps,
      runsNs: now.steadyNs,
    });
    this.#stop = stop;
    this.#outcome = null;
    this.#startedAtNs = now.steadyNs;
    const waits =
      (stop.obeyedNothing || stop.isPlanOver) &&
      this.#rules.time === 'real' &&
      !this.#motion.isSeenSince(now.steadyNs - this.#repeatNs);
    if (!waits) this.#command(stop, now, effects);
    return true;
  }

  /** Repeats the commands of its stop, or says that this is over. @returns false when there is none. */
  goOn<C extends Command>(now: Moment, effects: EffectSink<C>): boolean {
    const stop = this.#stop;
    if (stop === undefined) return false;
    const { steadyNs } = this.#clock.advanceTo(now);
    const outcome = stop.outcome(steadyNs);
    if (outcome === null) this.#moves(stop, steadyNs, now, effects);
    else if (this.#outcome === null) {
      // Where it stands, whatever its poses said on the way there.
      if (outcome === 'atRest') {
        const { hasJumped } = this.#motion;
        this.#motion.confirm();
        stop.rests(hasJumped, steadyNs);
      }
      this.finish(outcome, now, effects);
    }
    this.#isAnswerDue = false;
    return true;
  }

  #moves<C extends Command>(
    stop: VehicleStop,
    steadyNs: bigint,
    now: Moment,
    effects: EffectSink<C>,
  ): void {
    if (this.#outcome !== null) stop.movesAgain(steadyNs);
    if (this.#outcome === 'atRest' && !this.#motion.isAtRest) {
      effects.push({ kind: 'vehicleMovesAgain', id: this.id });
    }
    this.#outcome = null;
    const sinceNs = now.steadyNs - repeatedWhileStandingNs;
    const isHeldUp = this.#startedAtNs < sinceNs && this.hasStoodSince(sinceNs);
    if (!isHeldUp || this.#isAnswerDue) this.#command(stop, now, effects);
  }

  /** Its stop is over: what was sent brings it to rest, or has done so. */
  finish<C extends Command>(outcome: StopOutcome, now: Moment, effects: EffectSink<C>): void {
    this.#outcome = outcome;
    const afterNs = now.steadyNs - this.#startedAtNs;
    effects.push({ kind: 'vehicleStopped', id: this.id, outcome, afterNs });
  }

  /** As {@link StopAuthority.repeated}. */
  repeated(now: Moment): Command[] {
    const forwarded = this.#forwarded;
    const { steadyNs, stampNs } = this.#clock.momentOf(now);
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

  /** The commands that make it stand still, sent now or prepared, as {@link standStillCommands} says. */
  standStill(now: Moment, prepared: PreparedStop | null): StandStill[] {
    const known = { forwarded: this.#forwarded, motion: this.#motion, stop: this.#stop };
    const { config, time } = this.#rules;
    const own = this.#clock.momentOf(now);
    return standStillCommands(known, config.brakingMps2, own, prepared, time);
  }

  /** In simulated time: as {@link StopAuthority.haveStoodSince}. */
  hasStoodSince(steadyNs: bigint): boolean {
    return this.#clock.standsSince(steadyNs) && this.#stop?.isSlowedSince(steadyNs) === true;
  }

  /** The speed that another program commands now that brakes it, m/s. */
  #brakedMps(now: Moment): number {
    const { fromMps, stampNs } = this.#brakedElsewhere;
    const sinceS = Math.max(0, toS(now.stampNs - stampNs));
    return Math.max(0, fromMps - this.#rules.config.brakingMps2 * sinceS);
  }

  /**
   * Its stop is to answer at once, but in real time at most once per repeat. Two programs that outrank each other
   * would flood the vehicle without that bound.
   */
  #answer(nowNs: bigint): void {
    const freeAtNs = (this.#answeredAtNs ?? -this.#repeatNs) + this.#repeatNs;
    if (this.#rules.time === 'real' && nowNs < freeAtNs) return;
    this.#answeredAtNs = nowNs;
    this.#isAnswerDue = true;
  }

  #command<C extends Command>(stop: VehicleStop, now: Moment, effects: EffectSink<C>): void {
    const at = this.#clock.advanceTo(now);
    for (const command of stop.commands(at, now.steadyNs)) {
      // Of each kind the one that holds now comes last.
      this.#stoppedBy.set(command.kind, { command, at });
      effects.push({ kind: 'commandVehicle', id: this.id, cause: 'stop', command });
    }
  }
}

/** What these commands are to a vehicle of this profile. */
export function sentOf(
  { kinds, newestCreateNs, newestValidNs }: ForwardedCommands,
  { timeoutNs }: VehicleProfile,
): SentCommands {
  const obeyedUntilNs = timeoutNs === null ? null : newestValidNs + timeoutNs;
  return { kinds: [...kinds], newestCreateNs, newestValidNs, obeyedUntilNs };
}

/** Until this command holds, ns; negative: it does. */
function waitsNs(command: Command, { stampNs }: Moment): bigint {
  return validAfterOf(command) - stampNs;
}

/**
 * Speed from which a stop command of another program brakes now, or once it holds, m/s; null where it does not say.
 */
function brakedFrom(command: Command, now: Moment): number | null {
  if (command.kind !== 'trajectory' && command.kind !== 'pathTracking') return null;
  const fromNs = { validFromNs: now.steadyNs, stampedFromNs: now.steadyNs };
  const rankNs = createStampOf(command);
  const forwarded = { command, at: now, ...fromNs, rankNs, plan: planOf(command) };
  return commandedSpeed(forwarded, now.steadyNs + later(waitsNs(command, now), 0n));
}
