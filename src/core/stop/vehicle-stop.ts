import { earlier, later, nsPerMs, toS, type Moment } from '../time.js';
import { type Command, validAfterOf } from '../command.js';
import type { Forwarded, ForwardedCommands } from './forwarded-commands.js';
import { brakesAlone, brakingNs, rollingNs, wayOfBraking } from './braking-vehicle.js';
import {
  type Braking,
  commandedSpeed,
  directionOf,
  needsPlace,
  possible,
  stopCommand,
} from './stop-commands.js';
import {
  ahead,
  type BrakingWay,
  corrected,
  type Offset,
  stands,
  type Visible,
  wayFrom,
  isApart,
  isPast,
  nextPlace,
  placeBeforePlan,
  placeSeen,
  plannedPlace,
  rolledOn,
  type StopPlace,
} from './stop-place.js';
import { restMps, type VehicleMotion } from './vehicle-motion.js';

/** A stop may begin so much later, ns, where that saves a second command. */
export const negligibleNs = nsPerMs;

/** A vehicle stands this long after speed 0 was commanded, ns: it lags behind. */
export const settlingNs = 250n * nsPerMs;

/** A pending command is outranked again when its time is nearer than this, ns: three repeats. */
const nearNs = 150n * nsPerMs;

/** How vehicles are brought to rest. */
export interface StopSettings {
  /** m/s², above 0. */
  readonly brakingMps2: number;
  /** Speed 0 is commanded for at least this time, ns, above 0. */
  readonly zeroForNs: bigint;
}

/** Where a vehicle was by the last stop command. */
interface Place {
  readonly last: Forwarded;
  /** It is worked out anew for the next command. */
  readonly isGuess: boolean;
  /** The vehicle obeys another kind than trajectories until then, or rolls on from where it was seen again. */
  readonly rolls: boolean;
  readonly at: StopPlace;
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

const noWay: BrakingWay = { commandedM: 0, longestM: 0 };

/**
 * Whether another program has stopped the vehicle already: it was commanded to stand still. `byPacer`: a thread of
 * this one, and a vehicle on a trajectory brakes on its plan. `exceptOnPlan`: so it was, unless it obeyed a trajectory.
 */
export type Stopped = 'no' | 'yes' | 'byPacer' | 'exceptOnPlan';

/** How a stop ended: the vehicle stands, or sends no states and was commanded to for long enough. */
export type StopOutcome = 'atRest' | 'silent';

/**
 * One stop of one vehicle. The commanded speed begins at the last commanded or the last measured
 * one, whichever is lower, falls with the braking deceleration, follows the measured speed when that
 * is lower still, and never rises. It is 0 where the vehicle still drives the other way.
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
  /** The vehicle obeyed a trajectory. */
  readonly #followsPlan: boolean;
  /** Of the command that the vehicle obeyed: -1 backwards, 1 forwards, 0 where that does not say. */
  readonly #direction: number;
  #atNs: bigint;
  #plannedUntilNs: bigint | null;
  /** After the time-out of this command the vehicle brakes by itself; null: it was stopped. */
  #brakesAfter: Forwarded | null;
  /** The time by which the vehicle follows its commands is so much behind the steady one, ns. */
  readonly #planLagNs: bigint;
  /** True when the vehicle obeyed no command any more as the stop began, as far as can be known. */
  readonly stands: boolean;
  /** Another program has stopped the vehicle. */
  #standing: boolean;
  /** Highest speed of a vehicle that brakes with the given deceleration from the begin of the stop on, m/s. */
  #rampMps: number;
  /** Commands of all kinds are sent since then, ns; null: not yet. */
  #allSinceNs: bigint | null = null;
  /** The trajectory that the pacer sent is not replaced before, ns. */
  #brakesUntilNs: bigint;
  /** A vehicle that brakes by itself, or that another program brakes, may roll until then, ns. */
  #rollsUntilNs: bigint;
  /** Where the vehicle was by the last command, and the trajectory on whose plan that is. */
  #place: Place | null = null;
  /** Driven since then. */
  #way: BrakingWay = noWay;
  /** The vehicle was seen at rest, and not driven on since. */
  #hasRested = false;
  /** Of its poses from the places of the stop; null: not known. */
  #offset: Offset | null = null;
  /** Its states did not come for a while: the commands of this stop may not have reached it either. */
  #wasUnseen = false;
  #zeroSinceNs: bigint | null = null;
  /** Commands up to this number that wait for their time were outranked, but for those too many at once. */
  #outranked = 0;

  /**
   * @param stopped by another program, already.
   * @param planNs the instant by which the vehicle follows its commands, steady, ns.
   */
  constructor(
    forwarded: ForwardedCommands,
    motion: VehicleMotion,
    settings: StopSettings,
    { steadyNs }: Moment,
    stopped: Stopped,
    planNs = steadyNs,
  ) {
    const isOnPlan = stopped === 'exceptOnPlan' && forwarded.hasPlan(planNs);
    const standing = stopped !== 'no' && !isOnPlan;
    const obeyed = standing ? null : forwarded.obeyed(planNs);
    const followed = obeyed ?? (standing ? null : forwarded.lastObeyed(planNs));
    const alone = followed && brakesAlone(followed, forwarded, settings.brakingMps2, planNs);
    this.stands = obeyed === null || alone?.speedMps === 0;
    this.#forwarded = forwarded;
    this.#motion = motion;
    this.#settings = settings;
    this.#beganNs = steadyNs;
    this.#cover(forwarded.kindsInForce(planNs), planNs);
    this.#followsPlan = obeyed?.command.kind === 'trajectory';
    this.#direction = obeyed === null ? 0 : directionOf(obeyed);
    const commandedMps = obeyed === null ? 0 : (alone?.speedMps ?? commandedSpeed(obeyed, planNs));
    this.#speedMps = this.#drivesAgainst() ? 0 : commandedMps;
    this.#brakesAfter = followed;
    this.#planLagNs = steadyNs - planNs;
    this.#atNs = steadyNs;
    this.#plannedUntilNs = standing ? null : planNs;
    this.#standing = standing;
    this.#rampMps = this.stands ? Math.abs(motion.speedMps ?? 0) : this.#speedMps;
    this.#rollsUntilNs = steadyNs + rollingNs(forwarded, motion, settings.brakingMps2, steadyNs);
    this.#brakesUntilNs = stopped === 'byPacer' ? this.#rollsUntilNs : steadyNs;
  }

  /**
   * The commands that are to be sent now: one of each kind that is in force, and once the vehicle is to stand
   * one of each kind that was ever forwarded, for a vehicle whose time-out is not the declared one. Where
   * forwarded commands hold from later times, they are preceded by one for each of these times, the latest first: a
   * vehicle may obey the newest `valid_after_stamp` that has come. That is done once, and again for times that are
   * near: all of them in each repeat would be a flood.
   */
  commands({ steadyNs, stampNs }: Moment): Command[] {
    const passedNs = steadyNs - this.#atNs;
    this.#slow(steadyNs);
    this.#cover(this.#due(steadyNs), steadyNs);
    const coversAll = this.#forwarded.kinds.every((kind) => this.#covered.has(kind));
    this.#allSinceNs = coversAll ? (this.#allSinceNs ?? steadyNs) : null;
    const braking: Braking = {
      speedMps: this.#speedMps,
      brakingMps2: this.#settings.brakingMps2,
      stampNs,
      pose: this.#motion.sighting?.pose ?? null,
      place: this.#advance(steadyNs),
    };
    const kinds = this.#toCommand(steadyNs);
    const outrankNs = later(stampNs, this.#forwarded.newestValidNs + 1n);
    if (outrankNs - stampNs <= negligibleNs) return this.#ofAllKinds(kinds, braking, outrankNs);
    const untilNs = stampNs + later(nearNs, 3n * passedNs);
    const pending = this.#forwarded.pendingStamps(steadyNs, this.#outranked, untilNs);
    this.#outranked = this.#forwarded.lastPending;
    const next = pending.filter((ns) => ns > stampNs);
    const timesNs = new Set([outrankNs, ...next.map((ns) => ns + 1n), stampNs]);
    return [...timesNs].flatMap((validNs) => {
      const slower = (braking.brakingMps2 * Number(validNs - stampNs)) / 1e9;
      const speedMps = Math.max(0, this.#speedMps - slower);
      return this.#ofAllKinds(kinds, { ...braking, speedMps }, validNs);
    });
  }

  /** Where the vehicle was by the last stop command; null where that named no place. */
  get place(): StopPlace | null {
    return this.#place?.at ?? null;
  }

  /** Speed of the last stop command, m/s. */
  get speedMps(): number {
    return this.#speedMps;
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

  /** The vehicle is at rest at its place: the offset of its poses from that is known now. */
  rests(nowNs: bigint): void {
    const seen = this.#motion.reliableSighting(nowNs);
    if (seen !== null && this.#place !== null) this.#offset = wayFrom(this.#place.at, seen);
  }

  /** The stop was over, and the vehicle moves again: it may be carried elsewhere. */
  movesAgain(nowNs: bigint): void {
    this.renew(nowNs);
    this.#outranked = 0;
    this.#beganNs = nowNs;
  }

  /** Another program has stopped the vehicle meanwhile: it is no longer where this stop supposes it. */
  takeOver(stopped: Stopped, nowNs: bigint): void {
    this.renew(nowNs);
    this.#outranked = 0;
    this.#standing = true;
    this.#brakesAfter = null;
    this.#plannedUntilNs = null;
    this.#place = null;
    this.#offset = null;
    this.#hasRested = false;
    this.#rampMps = Math.abs(this.#motion.speedMps ?? 0);
    const { brakingMps2 } = this.#settings;
    this.#rollsUntilNs = nowNs + rollingNs(this.#forwarded, this.#motion, brakingMps2, nowNs);
    this.#brakesUntilNs = stopped === 'byPacer' ? this.#rollsUntilNs : nowNs;
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
    const settledNs = later(this.#zeroSinceNs ?? nowNs, this.#rollsUntilNs) + settlingNs;
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

  #slow(nowNs: bigint): void {
    const passedS = Number(nowNs - this.#atNs) / 1e9;
    this.#atNs = nowNs;
    const slowed = this.#speedMps - this.#settings.brakingMps2 * passedS;
    // A vehicle that was blocked gets no more than the plan that it obeys already.
    const isUnknown = this.#followsPlan && this.#motion.isStuck;
    const measured = isUnknown ? Infinity : Math.abs(this.#motion.speedMps ?? Infinity);
    const speed = Math.min(slowed, measured);
    const before = this.#speedMps;
    this.#speedMps = speed > 0 && measured > restMps && !this.#drivesAgainst() ? speed : 0;
    this.#way = {
      commandedM: this.#way.commandedM + wayOfBraking(before, passedS, this.#settings.brakingMps2),
      longestM: this.#way.longestM + this.#rampMps * passedS,
    };
    this.#rampMps = Math.max(0, this.#rampMps - this.#settings.brakingMps2 * passedS);
    if (this.#speedMps === 0) this.#zeroSinceNs ??= nowNs;
    this.#wasUnseen ||= !this.#motion.isFresh(nowNs);
  }

  /** True for a vehicle that has not turned round yet: its command would drive it the other way. */
  #drivesAgainst(): boolean {
    const speedMps = this.#motion.speedMps ?? 0;
    return Math.abs(speedMps) > restMps && speedMps * this.#direction < 0;
  }

  /**
   * Moves the place of the stop on; null where no trajectory was forwarded, and where another program has
   * stopped the vehicle and its states do not say where. It stays on the plan on which it began: a plan
   * that comes later is outranked before the vehicle follows it.
   */
  #advance(nowNs: bigint): StopPlace | null {
    if (this.#place === null || this.#place.isGuess) {
      const waiting = this.#forwarded.waiting('trajectory', nowNs);
      if (waiting !== null) return this.#placeBefore(waiting, nowNs);
      const last = this.#forwarded.newest('trajectory', nowNs);
      if (last === null) return null;
      const untilNs = this.#plannedUntil(last);
      const seen = this.#motion.reliableSighting(nowNs);
      const isSeen = seen !== null;
      // The vehicle has left that plan: a place on it may be far away.
      if (this.#forwarded.isOutlived(last, nowNs)) {
        const at = placeSeen(seen, this.#motion, 0);
        this.#place = at && { last, isGuess: true, rolls: false, at };
        return at;
      }
      const isUnseen = untilNs === null && !isSeen;
      // The trajectory of the program that stopped it holds while its place is not known.
      const isKnown = !isUnseen && this.#motion.hasMoved && nowNs >= this.#brakesUntilNs;
      if (this.#standing && !isKnown) return null;
      const planned = plannedPlace(last, this.#motion, untilNs, nowNs);
      const hasRolled = seen !== null && seen.atNs >= (untilNs ?? nowNs);
      const at = hasRolled ? planned : ahead(planned, this.#rolledM(nowNs));
      this.#place = { last, isGuess: isUnseen || (needsPlace(last) && !isSeen), rolls: false, at };
    } else {
      const visible = this.#visible(nowNs);
      this.#place =
        this.#seenElsewhere(this.#place, visible, nowNs) ??
        this.#onwards(this.#place, visible, nowNs);
      if (visible.seen !== null && stands(this.#motion)) this.#hasRested = true;
    }
    this.#way = noWay;
    return this.#place.at;
  }

  #visible(nowNs: bigint): Visible {
    const seen = this.#motion.reliableSighting(nowNs);
    const isOffsetKnown = this.#offset !== null;
    const mayRoll = !this.#hasRested && nowNs < this.#rollsUntilNs + settlingNs;
    return {
      seen: seen && this.#offset ? corrected(seen, this.#offset) : seen,
      isOffsetKnown,
      mayRoll,
      brakes: !this.stands && this.#rampMps > restMps,
    };
  }

  /** The way on which the vehicle may have braked by itself since its time-out, m. */
  #rolledM(nowNs: bigint): number {
    if (this.#brakesAfter === null) return 0;
    const { brakingMps2 } = this.#settings;
    const planNs = nowNs - this.#planLagNs;
    const alone = brakesAlone(this.#brakesAfter, this.#forwarded, brakingMps2, planNs);
    if (alone === null) return 0;
    return this.stands ? Math.min(alone.wayM, alone.restsM) : alone.wayM;
  }

  #onwards(place: Place, visible: Visible, nowNs: bigint): Place {
    const { at, rolls } = place;
    const next =
      rolls && visible.mayRoll && at.path === null
        ? rolledOn(at, this.#motion, visible.seen, this.#way.commandedM, nowNs)
        : nextPlace(at, this.#motion, visible, this.#way, nowNs, this.#beganNs);
    return { ...place, at: next };
  }

  /**
   * Where a vehicle is seen that does not follow the commands: it was not seen for a while and is elsewhere, or it
   * has driven past their place. Else null.
   */
  #seenElsewhere(place: Place, { seen, mayRoll }: Visible, nowNs: bigint): Place | null {
    if (place.rolls && mayRoll && place.at.path === null) return null;
    if (seen === null || this.#motion.isUnsteadySince(this.#beganNs)) return null;
    const wasUnseen = this.#wasUnseen;
    this.#wasUnseen = false;
    const rolledM = Math.abs(this.#motion.speedMps ?? 0) * toS(nowNs - seen.atNs);
    const at = placeSeen(seen, this.#motion, rolledM);
    const commanded = ahead(place.at, this.#way.commandedM);
    const isElsewhere = wasUnseen
      ? at !== null && isApart(at, commanded)
      : isPast(seen, this.#motion, commanded);
    if (!isElsewhere || at === null) return null;
    const speedMps = possible(Math.abs(this.#motion.speedMps ?? 0));
    const restsAtNs = nowNs + brakingNs(speedMps, this.#settings.brakingMps2);
    this.#rollsUntilNs = later(this.#rollsUntilNs, restsAtNs);
    this.#hasRested = false;
    return { ...place, rolls: true, at };
  }

  #placeBefore(waiting: Forwarded, nowNs: bigint): StopPlace | null {
    if (this.#standing && this.#motion.reliableSighting(nowNs) === null) return null;
    const at = placeBeforePlan(waiting, this.#motion, this.#speedMps, nowNs);
    this.#place = { last: waiting, isGuess: needsPlace(waiting), rolls: true, at };
    this.#way = noWay;
    return at;
  }

  /** The vehicle follows its plan until then, ns; null: that is not known. */
  #plannedUntil(last: Forwarded): bigint | null {
    const obeyedNs = this.#forwarded.obeyedUntil(last);
    const plannedNs = this.#plannedUntilNs;
    return plannedNs === null || obeyedNs === null ? plannedNs : earlier(plannedNs, obeyedNs);
  }

  #toCommand(nowNs: bigint): ToCommand[] {
    return [...this.#covered].map(([kind, covered]) => {
      const waiting = this.#forwarded.waiting(kind, nowNs);
      const fromNs = waiting && validAfterOf(waiting.command) - negligibleNs;
      return { covered, fromNs };
    });
  }

  #ofAllKinds(kinds: readonly ToCommand[], braking: Braking, validNs: bigint): Command[] {
    const createNs = later(braking.stampNs, this.#forwarded.newestCreateNs + 1n);
    this.#forwarded.stamped(createNs, this.#forwarded.newestValidNs);
    const commands: Command[] = [];
    for (const { covered, fromNs } of kinds) {
      const { last } = covered;
      if (fromNs !== null && validNs < fromNs) continue;
      if (braking.pose === null && needsPlace(last)) continue;
      if (last.command.kind === 'trajectory' && braking.place === null) continue;
      const mostMps = this.#turnsRound(last) ? 0 : covered.speedMps;
      const slower = { ...braking, speedMps: Math.min(braking.speedMps, mostMps) };
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
