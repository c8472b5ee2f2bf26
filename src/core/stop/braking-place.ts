import { earlier, later, nsPerMs, nsPerS, toS } from '../time.js';
import { brakesAlone, brakingNs, rollingNs, wayOfBraking } from './braking-vehicle.js';
import type { Forwarded, ForwardedCommands } from './forwarded-commands.js';
import { needsPlace, possible } from './stop-commands.js';
import {
  type BrakingWay,
  isApart,
  isPast,
  nextPlace,
  placeOfRest,
  rolledOn,
  type Visible,
} from './next-place.js';
import { RestPlace } from './rest-place.js';
import {
  ahead,
  placeBeforePlan,
  placeSeen,
  plannedPlace,
  showsRest,
  standsForNs,
  type StopPlace,
} from './stop-place.js';
import type { Sighting, VehicleMotion } from './vehicle-motion.js';

/** A vehicle stands this long after speed 0 was commanded, ns: it lags behind. */
export const settlingNs = 250n * nsPerMs;

/** This long after its place has come to rest, ns, a vehicle that follows it is slower than this part of its speed. */
const arrivingNs = 500n * nsPerMs;
const arriving = 0.9;

/** A vehicle that is past its place so soon after the begin of a stop does not obey yet, ns. */
const surelyPastNs = 2n * nsPerS;

/**
 * No state for this long, s, and the commands may not have reached the vehicle either. Of the time between two
 * commands no more than this part counts, s: a program that was suspended has yet to receive the states of that time.
 */
const unseenS = 0.1;
const awakeS = 0.05;

/** Where a vehicle was by the last stop command. */
interface Place {
  readonly last: Forwarded;
  /** It is worked out anew for the next command. */
  readonly isGuess: boolean;
  /** The vehicle obeys another kind than trajectories until then, or rolls on from where it was seen again. */
  readonly rolls: boolean;
  readonly at: StopPlace;
}

const noWay: BrakingWay = { commandedM: 0, longestM: 0 };

/**
 * Whether another program has stopped the vehicle already: it was commanded to stand still. `byPacer`: a thread of
 * this one, and a vehicle on a trajectory brakes on its plan. `exceptOnPlan`: so it was, unless it obeyed a trajectory.
 */
export type Stopped = 'no' | 'yes' | 'byPacer' | 'exceptOnPlan';

/** How a vehicle drives as its stop begins. */
export interface BrakingBegin {
  /** Steady, ns. */
  readonly nowNs: bigint;
  /** The command that it obeys, or obeyed until its time-out; null: it was stopped. */
  readonly followed: Forwarded | null;
  /** By another program, or by the pacer. */
  readonly stopped: Stopped;
  /** It obeys no command any more. */
  readonly obeyedNothing: boolean;
  /** From which it is to brake, m/s. */
  readonly speedMps: number;
}

/** The place that the trajectories of a stop name: where the vehicle is while it brakes, and where it rests. */
export class BrakingPlace {
  readonly #forwarded: ForwardedCommands;
  readonly #motion: VehicleMotion;
  readonly #brakingMps2: number;
  readonly #obeyedNothing: boolean;
  /** Of the stop, or when the vehicle last moved again after it, ns. */
  #beganNs: bigint;
  #plannedUntilNs: bigint | null;
  /** After the time-out of this command the vehicle brakes by itself; null: it was stopped. */
  #brakesAfter: Forwarded | null;
  /** Another program has stopped the vehicle. */
  #isStoppedElsewhere: boolean;
  /** Speed of the first command of the stop, m/s: none is faster. */
  readonly #fastestMps: number;
  /** Highest speed of a vehicle that brakes with the given deceleration from the begin of the stop on, m/s. */
  #rampMps: number;
  /** The trajectory that the pacer sent is not replaced before, ns. */
  #brakesUntilNs: bigint;
  /** A vehicle that brakes by itself, or that another program brakes, may roll until then, ns. */
  rollsUntilNs: bigint;
  /** Where the vehicle was by the last command, and the trajectory on whose plan that is. */
  #place: Place | null = null;
  /** Driven since then. */
  #way: BrakingWay = noWay;
  /** Where it stands; null until it was first seen at rest. */
  #rest: RestPlace | null = null;
  /** Where it was seen at rest since the last command; null: nowhere. */
  #turned: Sighting | null = null;
  /** When the vehicle would stand that was seen past its place, if it follows places, ns. */
  #pastAgainNs = 0n;
  /** Its speed when its place last rolled on with it, m/s. */
  #rollingMps = 0;
  /** The states have contradicted themselves while the vehicle drove: poses that agree again may be of another place. */
  #isUnsteady = false;
  /** Since when it is commanded to rest, ns; null: not yet. */
  #restsSinceNs: bigint | null = null;
  /** How long none of its states came, s. */
  #unseenS = 0;
  /** They did not come for a while: the commands of this stop may not have reached it either. */
  #wasUnseen = false;

  constructor(
    forwarded: ForwardedCommands,
    motion: VehicleMotion,
    brakingMps2: number,
    { nowNs, followed, stopped, obeyedNothing, speedMps }: BrakingBegin,
  ) {
    this.#forwarded = forwarded;
    this.#motion = motion;
    this.#brakingMps2 = brakingMps2;
    this.#obeyedNothing = obeyedNothing;
    this.#beganNs = nowNs;
    this.#brakesAfter = followed;
    this.#isStoppedElsewhere = stopped !== 'no';
    this.#plannedUntilNs = this.#isStoppedElsewhere ? null : nowNs;
    this.#fastestMps = speedMps;
    this.#rampMps = obeyedNothing ? Math.abs(motion.speedMps ?? 0) : speedMps;
    this.rollsUntilNs = nowNs + rollingNs(forwarded, motion, brakingMps2, nowNs);
    this.#brakesUntilNs = stopped === 'byPacer' ? this.rollsUntilNs : nowNs;
  }

  /** By the last stop command; null where that named no place. */
  get at(): StopPlace | null {
    return this.#place?.at ?? null;
  }

  /** It is on the plan of the vehicle, or will be with its first command. */
  isOnPlan(nowNs: bigint): boolean {
    if (this.#place !== null) return true;
    return !this.#isStoppedElsewhere && this.#forwarded.hasPlan(nowNs);
  }

  /** Time has passed in which the vehicle braked from this commanded speed, m/s. @param passedS s */
  drive(speedMps: number, passedS: number, nowNs: bigint): void {
    this.#way = {
      commandedM: this.#way.commandedM + wayOfBraking(speedMps, passedS, this.#brakingMps2),
      longestM: this.#way.longestM + this.#rampMps * passedS,
    };
    this.#rampMps = Math.max(0, this.#rampMps - this.#brakingMps2 * passedS);
    this.#unseenS = this.#motion.isFresh(nowNs) ? 0 : this.#unseenS + Math.min(passedS, awakeS);
    this.#wasUnseen ||= this.#unseenS >= unseenS;
  }

  /** A state came. One that passes its place and turns round is slow for less time than from command to command. */
  seen(nowNs: bigint): void {
    if (this.#place === null || this.#rest !== null || !showsRest(this.#motion)) return;
    this.#turned = this.#motion.reliableSighting(nowNs);
  }

  /** The vehicle is at rest. @param hasJumped its pose has jumped since it was last believed. */
  rests(hasJumped: boolean, nowNs: bigint): void {
    if (this.#place === null) return;
    this.#rest ??= new RestPlace(this.#place.at, nowNs);
    this.#rest.rests(this.#motion, hasJumped, nowNs);
    this.#place = { ...this.#place, at: this.#rest.at };
  }

  /** The stop was over, and the vehicle moves again. */
  movesAgain(nowNs: bigint): void {
    this.#beganNs = nowNs;
    this.#isUnsteady = false;
    this.#restsSinceNs = null;
  }

  /** Another program has stopped the vehicle meanwhile: it is no longer where this stop supposes it. */
  takeOver(stopped: Stopped, nowNs: bigint): void {
    this.#isStoppedElsewhere = true;
    this.#brakesAfter = null;
    this.#plannedUntilNs = null;
    this.#place = null;
    this.#rest = null;
    this.#restsSinceNs = null;
    this.#rampMps = Math.abs(this.#motion.speedMps ?? 0);
    this.rollsUntilNs = nowNs + rollingNs(this.#forwarded, this.#motion, this.#brakingMps2, nowNs);
    this.#brakesUntilNs = stopped === 'byPacer' ? this.rollsUntilNs : nowNs;
  }

  /**
   * Moves the place of the stop on; null where no trajectory was forwarded, and where another program has
   * stopped the vehicle and its states do not say where. It stays on the plan on which it began: a plan
   * that comes later is outranked before the vehicle follows it.
   */
  advance(nowNs: bigint, speedMps: number): StopPlace | null {
    if (speedMps === 0) this.#restsSinceNs ??= nowNs;
    this.#doubt(nowNs);
    if (this.#place === null || this.#place.isGuess) {
      const waiting = this.#forwarded.waiting('trajectory', nowNs);
      if (waiting !== null) return this.#placeBefore(waiting, speedMps, nowNs);
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
      if (this.#isStoppedElsewhere && !isKnown) return null;
      // What keeps it at rest was not seen either: poses of another point of it would drive it to that.
      if (last.rankNs < 0n && !this.#motion.hasMoved && showsRest(this.#motion)) return null;
      // One that goes on braking does not wait for its response.
      const rollsForNs = this.#isStoppedElsewhere && speedMps > 0 ? 0n : undefined;
      const planned = plannedPlace(last, this.#motion, untilNs, nowNs, rollsForNs);
      const hasRolled = seen !== null && seen.atNs >= (untilNs ?? nowNs);
      const at = hasRolled ? planned : ahead(planned, this.#rolledM(nowNs));
      const isGuess = isUnseen || (needsPlace(last) && !isSeen);
      const rolls = at.path === null && isSeen && !showsRest(this.#motion);
      this.#place = { last, isGuess, rolls, at };
    } else if (this.#rest !== null) {
      this.#rest.advance(this.#motion, nowNs);
      this.#place = { ...this.#place, at: this.#rest.at };
    } else {
      const visible = this.#visible(nowNs);
      this.#place =
        this.#jumped(this.#place) ??
        this.#seenElsewhere(this.#place, visible, nowNs) ??
        this.#atRest(this.#place, visible, nowNs) ??
        this.#onwards(this.#place, visible, nowNs);
    }
    this.#way = noWay;
    this.#turned = null;
    return this.#place.at;
  }

  /** A vehicle that has settled at its place is not moved by poses that stand, whatever speed its states have. */
  #doubt(nowNs: bigint): void {
    if (this.#restsSinceNs !== null && nowNs >= this.#restsSinceNs + settlingNs) return;
    this.#isUnsteady ||= this.#motion.isUnsteadySince(this.#beganNs);
  }

  #visible(nowNs: bigint): Visible {
    return {
      seen: this.#motion.reliableSighting(nowNs),
      mayRoll: nowNs < this.rollsUntilNs + settlingNs,
    };
  }

  /** The way on which the vehicle may have braked by itself since its time-out, m. */
  #rolledM(nowNs: bigint): number {
    if (this.#brakesAfter === null) return 0;
    const alone = brakesAlone(this.#brakesAfter, this.#forwarded, this.#brakingMps2, nowNs);
    if (alone === null) return 0;
    return this.#obeyedNothing ? Math.min(alone.wayM, alone.restsM) : alone.wayM;
  }

  /** Where a vehicle stands for the first time that the states show it; null while it drives. */
  #atRest(place: Place, { seen }: Visible, nowNs: bigint): Place | null {
    const stands = showsRest(this.#motion) ? seen : this.#turned;
    if (stands === null || nowNs - stands.atNs > standsForNs || this.#isUnsteady) return null;
    const at = placeOfRest(place.at, stands);
    this.#rest = new RestPlace(at, nowNs);
    return { ...place, at };
  }

  #onwards(place: Place, visible: Visible, nowNs: bigint): Place {
    const { at, rolls } = place;
    const rollsOn = rolls && visible.mayRoll && at.path === null;
    if (rollsOn) this.#rollingMps = Math.abs(this.#motion.speedMps ?? 0);
    const next = rollsOn
      ? rolledOn(at, this.#motion, visible.seen, this.#way.commandedM, nowNs)
      : nextPlace(at, this.#motion, visible, this.#way, nowNs, this.#isUnsteady);
    return { ...place, at: next };
  }

  /** Where a vehicle is seen that drives to its place since its pose has jumped; null for one that does not. */
  #jumped(place: Place): Place | null {
    const { sighting } = this.#motion;
    if (sighting === null || !this.#motion.drivesByJump(this.#fastestMps)) return null;
    this.#motion.confirm();
    const { x, y } = sighting.pose;
    return { ...place, rolls: false, at: { path: null, x, y } };
  }

  /**
   * Where a vehicle is seen that does not follow the commands: it was not seen for a while and is elsewhere, or it
   * has driven past their place. Else null.
   */
  #seenElsewhere(place: Place, { seen, mayRoll }: Visible, nowNs: bigint): Place | null {
    if (place.rolls && mayRoll && place.at.path === null) return null;
    if (seen === null || this.#isUnsteady) return null;
    const wasUnseen = this.#wasUnseen;
    this.#wasUnseen = false;
    const rolledM = Math.abs(this.#motion.speedMps ?? 0) * toS(nowNs - seen.atNs);
    const at = placeSeen(seen, this.#motion, rolledM);
    const commanded = ahead(place.at, this.#way.commandedM);
    const isElsewhere = wasUnseen
      ? at !== null && isApart(at, commanded)
      : this.#mayBePast(nowNs) && isPast(seen, this.#motion, commanded);
    if (!isElsewhere || at === null) return null;
    const speedMps = possible(Math.abs(this.#motion.speedMps ?? 0));
    const restsAtNs = nowNs + brakingNs(speedMps, this.#brakingMps2);
    this.rollsUntilNs = later(this.rollsUntilNs, restsAtNs);
    this.#pastAgainNs = this.rollsUntilNs + settlingNs + arrivingNs;
    return { ...place, rolls: true, at };
  }

  /** Later, a vehicle past its place may follow that, with poses of another point: place and vehicle would go on. */
  #mayBePast(nowNs: bigint): boolean {
    if (nowNs < this.#beganNs + surelyPastNs) return true;
    const keepsSpeed = Math.abs(this.#motion.speedMps ?? 0) > arriving * this.#rollingMps;
    return nowNs >= this.#pastAgainNs && keepsSpeed;
  }

  #placeBefore(waiting: Forwarded, speedMps: number, nowNs: bigint): StopPlace | null {
    if (this.#isStoppedElsewhere && this.#motion.reliableSighting(nowNs) === null) return null;
    const at = placeBeforePlan(waiting, this.#motion, speedMps, nowNs);
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
}
