import { later, nsPerMs, toS, type Moment } from '../time.js';
import { type Command, validAfterOf } from '../command.js';
import { BrakingPlace, settlingNs, type Stopped } from './braking-place.js';
import { brakesAlone } from './braking-vehicle.js';
import type { Forwarded, ForwardedCommands } from './forwarded-commands.js';
import {
  type Braking,
  commandedSpeed,
  directionOf,
  isOver,
  needsPlace,
  stopCommand,
} from './stop-commands.js';
import type { StopPlace } from './stop-place.js';
import { restMps, type VehicleMotion } from './vehicle-motion.js';

/** A stop may begin this much later, ns, where that saves a second command. */
export const negligibleNs = nsPerMs;

/** A pending command is outranked again when its time is nearer than this, ns: three repeats. */
const nearNs = 150n * nsPerMs;

/** How vehicles are brought to rest. */
export interface StopSettings {
  /** m/s², above 0. */
  readonly brakingMps2: number;
  /** Speed 0 is commanded for at least this time, ns, above 0. */
  readonly zeroForNs: bigint;
}

/** How a stop begins. */
export interface StopBegin {
  /** By another program, already. */
  readonly stopped: Stopped;
  /** Speed that this program commands now, m/s. */
  readonly brakedMps: number;
  /** Now by the clock of this program, ns. */
  readonly runsNs: bigint;
}

/** The last command of a kind, whose path or steering the stop keeps. */
interface Covered {
  readonly last: Forwarded;
  /** The speed that it asked for then, m/s. */
  readonly speedMps: number;
}

/** A kind that is commanded. */
interface ToCommand {
  readonly covered: Covered;
  /** From this stamp on, ns: before, the vehicle obeys another kind, which this one may outrank. Null: at once. */
  readonly fromNs: bigint | null;
}

/** How a stop ended: the vehicle stands, or sends no states and was commanded to for long enough. */
export type StopOutcome = 'atRest' | 'silent';

/**
 * One stop of one vehicle. The commanded speed begins at the last commanded one, or at the one that the vehicle
 * has by its last states where that is lower. It falls with the braking deceleration, follows the measured speed
 * when that is lower still, and never rises. It is 0 where the vehicle still drives the other way.
 */
export class VehicleStop {
  readonly #forwarded: ForwardedCommands;
  readonly #motion: VehicleMotion;
  readonly #settings: StopSettings;
  /** A command that waits for its time changes nothing of it when that comes. */
  readonly #covered = new Map<Command['kind'], Covered>();
  /** Of the stop, or when the vehicle last moved again after it, ns. */
  #beganNs: bigint;
  #speedMps: number;
  /** Of the command that the vehicle obeyed: -1 backwards, 1 forwards, 0 where that does not say. */
  readonly #direction: number;
  #atNs: bigint;
  /** The same by the clock of this program, which goes on while simulated time stands, ns. */
  #runsAtNs: bigint;
  /** So much longer this clock ran, s: types without a plan brake by it. */
  #ranOnS = 0;
  /** By this clock, the types without a plan are commanded to rest since then, ns; null: not yet. */
  #slowedSinceNs: bigint | null = null;
  readonly #place: BrakingPlace;
  /** True when the vehicle obeyed no command any more as the stop began, as far as can be known. */
  readonly obeyedNothing: boolean;
  /** Its plan was over as the stop began: it may rest at its end, or drive on. */
  readonly isPlanOver: boolean;
  /** Commands of all kinds are sent since then, ns; null: not yet. */
  #allSinceNs: bigint | null = null;
  #zeroSinceNs: bigint | null = null;
  /** Commands up to this number that wait for their time were outranked, but for those too many at once. */
  #outranked = 0;

  constructor(
    forwarded: ForwardedCommands,
    motion: VehicleMotion,
    settings: StopSettings,
    { steadyNs, stampNs }: Moment,
    { stopped, brakedMps: commandedElsewhereMps, runsNs }: StopBegin,
  ) {
    const isOnPlan = stopped === 'exceptOnPlan' && forwarded.hasPlan(steadyNs);
    const standing = stopped !== 'no' && !isOnPlan;
    const obeyed = standing ? null : forwarded.obeyed(steadyNs);
    const followed = obeyed ?? (standing ? null : forwarded.lastObeyed(steadyNs));
    const alone = followed && brakesAlone(followed, forwarded, settings.brakingMps2, steadyNs);
    this.obeyedNothing = obeyed === null || alone?.speedMps === 0;
    this.#forwarded = forwarded;
    this.#motion = motion;
    this.#settings = settings;
    this.#beganNs = steadyNs;
    this.#cover(forwarded.kindsInForce(steadyNs), steadyNs);
    const brakedMps = standing ? this.#brakedOnPlan(commandedElsewhereMps, steadyNs) : 0;
    this.isPlanOver = obeyed !== null && isOver(obeyed.command, stampNs);
    this.#direction = obeyed === null ? 0 : directionOf(obeyed);
    const commandedMps =
      obeyed === null ? brakedMps : (alone?.speedMps ?? commandedSpeed(obeyed, steadyNs));
    this.#speedMps = this.#drivesAgainst() ? 0 : commandedMps;
    this.#atNs = steadyNs;
    this.#runsAtNs = runsNs;
    this.#place = new BrakingPlace(forwarded, motion, settings.brakingMps2, {
      nowNs: steadyNs,
      followed,
      stopped: standing ? stopped : 'no',
      obeyedNothing: this.obeyedNothing,
      speedMps: this.#speedMps,
    });
    this.#speedMps = Math.min(this.#speedMps, motion.mostMps(steadyNs) ?? Infinity);
  }

  /**
   * The commands that are to be sent now: one of each kind that is in force, and once the vehicle is to stand
   * one of each kind that was ever forwarded, for a vehicle whose time-out is not the declared one. Where
   * forwarded commands hold from later times, they are preceded by one for each of these times, the latest first: a
   * vehicle may obey the newest `valid_after_stamp` that has come. That is done once, and again for times that are
   * near: all of them in each repeat would be a flood.
   * @param runsNs now by the clock of this program, ns.
   */
  commands({ steadyNs, stampNs }: Moment, runsNs: bigint): Command[] {
    const passedNs = steadyNs - this.#atNs;
    this.#slow(steadyNs, runsNs);
    this.#cover(this.#due(steadyNs), steadyNs);
    const coversAll = this.#forwarded.kinds.every((kind) => this.#covered.has(kind));
    this.#allSinceNs = coversAll ? (this.#allSinceNs ?? steadyNs) : null;
    const braking: Braking = {
      speedMps: this.#speedMps,
      brakingMps2: this.#settings.brakingMps2,
      stampNs,
      pose: this.#motion.sighting?.pose ?? null,
      place: this.#place.advance(steadyNs, this.#speedMps),
    };
    const kinds = this.#toCommand(steadyNs);
    const outrankNs = later(stampNs, this.#forwarded.newestValidNs + 1n);
    if (outrankNs - stampNs <= negligibleNs)
      return this.#ofAllKinds(kinds, braking, braking.speedMps, outrankNs);
    const untilNs = stampNs + later(nearNs, 3n * passedNs);
    const pending = this.#forwarded.pendingStamps(steadyNs, this.#outranked, untilNs);
    this.#outranked = this.#forwarded.lastPending;
    const next = pending.filter((ns) => ns > stampNs);
    const timesNs = new Set([outrankNs, ...next.map((ns) => ns + 1n), stampNs]);
    return [...timesNs].flatMap((validNs) => {
      const slower = (braking.brakingMps2 * Number(validNs - stampNs)) / 1e9;
      const speedMps = Math.max(0, this.#speedMps - slower);
      return this.#ofAllKinds(kinds, braking, speedMps, validNs);
    });
  }

  /** True when the last commands are so old, ns. */
  isDue(nowNs: bigint, repeatNs: bigint): boolean {
    return nowNs - this.#atNs >= repeatNs;
  }

  /** When the last commands were made, or the stop began, ns. */
  get atNs(): bigint {
    return this.#atNs;
  }

  /** Where the vehicle was by the last stop command; null where that named no place. */
  get place(): StopPlace | null {
    return this.#place.at;
  }

  /** The vehicle is braked on its plan, or will be with the first command. */
  isOnPlan(nowNs: bigint): boolean {
    return this.#place.isOnPlan(nowNs);
  }

  /** Speed of the last stop command, m/s. */
  get speedMps(): number {
    return this.#speedMps;
  }

  /** True when the types without a plan are commanded to rest since this instant of the clock of this program, ns. */
  isSlowedSince(runsNs: bigint): boolean {
    if (this.#forwarded.kinds.every((kind) => kind === 'trajectory')) return true;
    return this.#slowedSinceNs !== null && this.#slowedSinceNs <= runsNs;
  }

  /** How the stop ended; null while commands are to be sent. */
  outcome(nowNs: bigint): StopOutcome | null {
    if (this.#zeroSinceNs === null) return null;
    if (nowNs - this.#zeroSinceNs < this.#settings.zeroForNs) return null;
    if (this.#forwarded.hasPending(nowNs)) return null;
    // A vehicle that the last commands moved would show that by then.
    if (this.#allSinceNs === null || nowNs - this.#allSinceNs < settlingNs) return null;
    if (this.#motion.isSilent(nowNs)) return 'silent';
    return this.#motion.isAtRest ? 'atRest' : null;
  }

  /** Something was forwarded in spite of the stop, or the vehicle moves again: stand still. */
  renew(nowNs: bigint): void {
    this.#speedMps = 0;
    this.#zeroSinceNs = nowNs;
    const kinds = [...this.#covered.keys()];
    this.#covered.clear();
    this.#cover(kinds, nowNs);
  }

  /** The stop was over, and the vehicle moves again: it may be carried elsewhere. */
  movesAgain(nowNs: bigint): void {
    this.renew(nowNs);
    this.#outranked = 0;
    this.#beganNs = nowNs;
    this.#place.movesAgain(nowNs);
  }

  /** The vehicle is at rest. @param hasJumped its pose has jumped since it was last believed. */
  rests(hasJumped: boolean, nowNs: bigint): void {
    this.#place.rests(hasJumped, nowNs);
  }

  /** A state of the vehicle came. */
  seen(nowNs: bigint): void {
    this.#place.seen(nowNs);
  }

  /**
   * Another program has stopped the vehicle meanwhile: it is no longer where this stop supposes it.
   * @param commandedMps speed that it commands now, m/s.
   * @param runsNs now by the clock of this program, ns.
   */
  takeOver(stopped: Stopped, commandedMps: number, nowNs: bigint, runsNs: bigint): void {
    this.renew(nowNs);
    this.#outranked = 0;
    this.#place.takeOver(stopped, nowNs);
    const brakedMps = this.#brakedOnPlan(commandedMps, nowNs);
    if (brakedMps === 0) return;
    this.#speedMps = brakedMps;
    this.#zeroSinceNs = null;
    this.#atNs = nowNs;
    this.#runsAtNs = runsNs;
  }

  /**
   * The speed from which this stop goes on for a vehicle that another program brakes on its plan, m/s. A place to
   * rest at would be behind it, if nothing followed. 0 where its states do not say where it is, and for one that
   * obeys another kind.
   */
  #brakedOnPlan(commandedMps: number, nowNs: bigint): number {
    if (this.#forwarded.lastObeyed(nowNs)?.command.kind !== 'trajectory') return 0;
    const last = this.#forwarded.newest('trajectory', nowNs);
    const speedMps = Math.min(commandedMps, this.#motion.mostMps(nowNs) ?? 0);
    if (last === null || speedMps === 0) return 0;
    if (this.#motion.reliableSighting(nowNs) === null) return 0;
    this.#covered.set('trajectory', { last, speedMps });
    return speedMps;
  }

  /** Another program brakes the vehicle from this speed now, m/s; null where that is not known. */
  slowTo(speedMps: number | null, nowNs: bigint): void {
    if (speedMps === null) return;
    // The next command subtracts what the vehicle brakes from the last one on.
    const sinceLast = (this.#settings.brakingMps2 * Number(nowNs - this.#atNs)) / 1e9;
    this.#speedMps = Math.min(this.#speedMps, speedMps + sinceLast);
  }

  /** The kinds that are to be commanded. One that the vehicle has left could outrank the one by which it brakes. */
  #due(nowNs: bigint): readonly Command['kind'][] {
    const { kinds } = this.#forwarded;
    if (this.#speedMps > 0) return this.#forwarded.kindsInForce(nowNs);
    const settledNs = later(this.#zeroSinceNs ?? nowNs, this.#place.rollsUntilNs) + settlingNs;
    const isAtRest = this.#motion.isAtRest && this.#motion.isSeenSince(this.#beganNs);
    if (isAtRest || nowNs >= settledNs) return kinds;
    return kinds.filter((kind) => !this.#forwarded.hasLeft(kind, nowNs));
  }

  #cover(kinds: readonly Command['kind'][], nowNs: bigint): void {
    for (const kind of kinds) {
      const last = this.#forwarded.newest(kind, nowNs);
      if (last === null || this.#covered.has(kind)) continue;
      this.#covered.set(kind, { last, speedMps: commandedSpeed(last, nowNs) });
    }
  }

  #slow(nowNs: bigint, runsNs: bigint): void {
    const passedS = toS(nowNs - this.#atNs);
    this.#ranOnS += Math.max(0, toS(runsNs - this.#runsAtNs) - passedS);
    this.#atNs = nowNs;
    this.#runsAtNs = runsNs;
    const slowed = this.#speedMps - this.#settings.brakingMps2 * passedS;
    const measured = Math.abs(this.#motion.speedMps ?? Infinity);
    const speed = Math.min(slowed, measured);
    const before = this.#speedMps;
    this.#speedMps = speed > 0 && measured > restMps && !this.#drivesAgainst() ? speed : 0;
    this.#place.drive(before, passedS, nowNs);
    if (this.#speedMps === 0) this.#zeroSinceNs ??= nowNs;
    if (this.#unplanned(this.#speedMps) === 0) this.#slowedSinceNs ??= runsNs;
  }

  /** The speed of types without a plan, m/s: their vehicles may drive on while simulated time stands. */
  #unplanned(speedMps: number): number {
    return Math.max(0, speedMps - this.#settings.brakingMps2 * this.#ranOnS);
  }

  /** True for a vehicle that has not turned round yet: its command would drive it the other way. */
  #drivesAgainst(): boolean {
    const speedMps = this.#motion.speedMps ?? 0;
    return Math.abs(speedMps) > restMps && speedMps * this.#direction < 0;
  }

  #toCommand(nowNs: bigint): ToCommand[] {
    return [...this.#covered].map(([kind, covered]) => {
      const waiting = this.#forwarded.waiting(kind, nowNs);
      const fromNs = waiting && validAfterOf(waiting.command) - negligibleNs;
      return { covered, fromNs };
    });
  }

  /** @param thenMps the speed at which the vehicle will be by the time of `validNs`, m/s. */
  #ofAllKinds(
    kinds: readonly ToCommand[],
    braking: Braking,
    thenMps: number,
    validNs: bigint,
  ): Command[] {
    const createNs = later(braking.stampNs, this.#forwarded.newestCreateNs + 1n);
    this.#forwarded.stamped(createNs, this.#forwarded.newestValidNs);
    const commands: Command[] = [];
    for (const { covered, fromNs } of kinds) {
      const { last } = covered;
      if (fromNs !== null && validNs < fromNs) continue;
      if (braking.pose === null && needsPlace(last)) continue;
      const isPlanned = last.command.kind === 'trajectory';
      if (isPlanned && braking.place === null) continue;
      // The profile of now says where the vehicle will be then.
      const speedMps = isPlanned ? braking.speedMps : this.#unplanned(thenMps);
      const mostMps = this.#turnsRound(last) ? 0 : covered.speedMps;
      const slower = { ...braking, speedMps: Math.min(speedMps, mostMps) };
      commands.push(stopCommand(last, slower, { createNs, validNs }));
    }
    return commands;
  }

  /** True for a command that drives the vehicle the other way than it drives now, as far as is known. */
  #turnsRound(last: Forwarded): boolean {
    const measuredMps = this.#motion.speedMps ?? 0;
    const isBackwards = this.#direction === 0 ? measuredMps < -restMps : this.#direction < 0;
    return directionOf(last) * (isBackwards ? -1 : 1) < 0;
  }
}
