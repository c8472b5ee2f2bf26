import { earlier, later, type Moment, nsPerMs, toS } from '../time.js';
import { type Command, validAfterOf } from '../command.js';
import { settlingNs } from './braking-place.js';
import { brakingNs, brakingWayM } from './braking-vehicle.js';
import type { Forwarded, ForwardedCommands } from './forwarded-commands.js';
import { rolledOn } from './next-place.js';
import { type Braking, commandedSpeed, needsPlace, stopCommand } from './stop-commands.js';
import {
  ahead,
  placeAhead,
  placeBeforePlan,
  placeOnPlan,
  placeSeen,
  responseNs,
  type StopPlace,
} from './stop-place.js';
import type { VehicleMotion } from './vehicle-motion.js';
import type { VehicleStop } from './vehicle-stop.js';

/** A vehicle may still roll for this long after its time-out, ns. */
const longestRollNs = 250n * nsPerMs;

/** The commands were made this long before a hang begins, ns; those of a large fleet longer. */
const madeBeforeNs = 50n * nsPerMs;

/** A command that makes a vehicle stand still, as of a time; on a plan it brakes the vehicle until it does. */
export interface StandStill {
  readonly command: Command;
  /** True when it holds from a later time only. */
  readonly ahead: boolean;
  /**
   * No command of this kind may hold before this stamp, ns, since the vehicle obeys another kind, which it would
   * outrank; null: it may at once.
   */
  readonly fromNs: bigint | null;
  /** Now on the clock of the stamps, ns. */
  readonly stampNs: bigint;
  /**
   * When it may be sent:
   * - `always`: now, and after a hang that begins now;
   * - `atOnce`: now only;
   * - `afterHang`: after such a hang only;
   * - `unlessSuspended`: now, and after a hang together with the trajectory for it, never before that one: it
   *   commands speed 0, and the trajectory a higher speed.
   */
  readonly occasion: 'always' | 'atOnce' | 'afterHang' | 'unlessSuspended';
  /** True for a trajectory that brakes, by these times whenever it is sent; the times of one that rests move on. */
  readonly keepsTimes: boolean;
}

/** How commands are made that are sent later, if at all. */
export interface PreparedStop {
  /**
   * Length of a hang after which these commands are sent, ns; null: none are made for a hang. Each trajectory
   * then has one command for now and one for after the hang: meanwhile the vehicle follows its plan, or its
   * stop, and passes the place of now.
   */
  readonly hangAfterNs: bigint | null;
  /** By a command that is sent without a hang, a vehicle with a plan brakes from this much later on, ns. */
  readonly brakesAfterNs: bigint;
}

/** What is known of a vehicle. */
export interface KnownVehicle {
  readonly forwarded: ForwardedCommands;
  readonly motion: VehicleMotion;
  /** Undefined while its controller drives it. */
  readonly stop: VehicleStop | undefined;
}

/**
 * The commands that make a vehicle stand still, of every kind that was forwarded: at once, and on a plan with the
 * declared deceleration. Those that hold from a later time, to outrank what holds until then, come first.
 * @param prepared null: they are sent now.
 * @param time in simulated time a trajectory always brakes from now on: until it is sent, the vehicle stands.
 */
export function standStillCommands(
  vehicle: KnownVehicle,
  brakingMps2: number,
  now: Moment,
  prepared: PreparedStop | null,
  time: 'real' | 'simulated',
): StandStill[] {
  const { forwarded, motion } = vehicle;
  const { steadyNs: nowNs, stampNs } = now;
  const pose = motion.sighting?.pose ?? null;
  const { hangAfterNs = null, brakesAfterNs = 0n } = prepared ?? {};
  const outranked = outrankedCommands(vehicle, brakingMps2, now, hangAfterNs ?? 0n);
  const after = (ns: bigint) =>
    brakingAt(vehicle, forwarded.newest('trajectory', nowNs + ns), brakingMps2, now, ns);
  // Worked out only when needed: this takes longer than all the rest.
  let atOnce: Omit<Braking, 'pose'> | undefined;
  let afterHang: Omit<Braking, 'pose'> | undefined;
  const createNs = later(stampNs, forwarded.newestCreateNs + 1n);
  const hasPlan = outranked.some(({ last }) => last.command.kind === 'trajectory');
  const ofOthers = hangAfterNs !== null && hasPlan ? 'unlessSuspended' : 'always';
  const stills: StandStill[] = [];
  const add = ({ last, waits, fromNs }: Outranked, validNs: bigint, ahead: boolean): void => {
    const isEarly = fromNs !== null && validNs + nsPerMs < fromNs;
    if (waits ? isEarly : ahead && fromNs !== null) return;
    const stamps = { createNs, validNs: isEarly ? fromNs : validNs };
    const isPlanned = last.command.kind === 'trajectory';
    const still = (
      braking: Omit<Braking, 'pose'>,
      occasion: StandStill['occasion'],
    ): StandStill => {
      const keepsTimes = isPlanned && braking.speedMps > 0 && Boolean(braking.place?.path);
      const rests = { ...braking, speedMps: 0, stampNs };
      const command = stopCommand(last, { ...(keepsTimes ? braking : rests), pose }, stamps);
      return { command, ahead, fromNs, stampNs, occasion, keepsTimes };
    };
    atOnce ??= notFaster(after(time === 'real' ? brakesAfterNs : 0n), motion.mostMps(nowNs));
    // In simulated time the vehicle stands while this program hangs.
    const ofPlan = time === 'simulated' && hangAfterNs === null ? 'always' : 'atOnce';
    stills.push(still(atOnce, isPlanned ? ofPlan : ofOthers));
    if (!isPlanned || hangAfterNs === null) return;
    afterHang ??= after(madeBeforeNs + hangAfterNs);
    stills.push(still(afterHang, 'afterHang'));
  };
  if (forwarded.newestValidNs >= stampNs) {
    for (const each of outranked) add(each, forwarded.newestValidNs + 1n, true);
  }
  for (const each of outranked) add(each, stampNs, false);
  return stills;
}

/** A stop begins with the measured speed, m/s, where that is lower; null: it is not known. */
function notFaster<B extends Pick<Braking, 'speedMps'>>(braking: B, mostMps: number | null): B {
  return { ...braking, speedMps: Math.min(braking.speedMps, mostMps ?? Infinity) };
}

/** The newest command of a kind, which a command to stand still is to outrank. */
interface Outranked {
  readonly last: Forwarded;
  /** A command of this kind waits for its time. */
  readonly waits: boolean;
  /** As in {@link StandStill}. */
  readonly fromNs: bigint | null;
}

/** Of each kind, where a command to stand still can be made and would not lead the vehicle elsewhere. */
function outrankedCommands(
  vehicle: KnownVehicle,
  brakingMps2: number,
  { steadyNs: nowNs, stampNs }: Moment,
  hangNs: bigint,
): Outranked[] {
  const { forwarded, motion, stop } = vehicle;
  const obeyed = forwarded.obeyed(nowNs);
  // Only where a kind was left: it takes as long as all the rest.
  const hasLeft = forwarded.kinds.some((kind) => forwarded.hasLeft(kind, nowNs));
  const standsAfterNs = hasLeft ? standsAfter(vehicle, obeyed, brakingMps2, nowNs, hangNs) : 0n;
  const isUsable = (last: Forwarded, isOutlived: boolean) => {
    if (motion.sighting === null && needsPlace(last)) return false;
    if (last.command.kind !== 'trajectory') return true;
    // Where the place is not known, the trajectory that another program sent holds.
    if (stop?.place === null) return false;
    // Else the vehicle has left that plan: a place on it may be far away.
    if (!isOutlived) return true;
    return motion.reliableSighting(nowNs) !== null && standsAfterNs === 0n;
  };
  return forwarded.kinds.flatMap((kind): Outranked[] => {
    const last = forwarded.newest(kind, nowNs);
    if (last === null) return [];
    const waiting = forwarded.waiting(kind, nowNs);
    const isOutlived = waiting === null && forwarded.isOutlived(last, nowNs);
    if (!isUsable(last, isOutlived)) return [];
    if (waiting !== null) return [{ last, waits: true, fromNs: validAfterOf(waiting.command) }];
    const outranks = obeyed === null || forwarded.precedes(kind, obeyed.command.kind);
    const fromNs = outranks && isOutlived && standsAfterNs > 0n ? stampNs + standsAfterNs : null;
    return [{ last, waits: false, fromNs }];
  });
}

/**
 * When a vehicle stands that brakes now by the kind that it obeys, or by itself since the time-out of that, ns; 0:
 * it does. Until then a kind that it has left would outrank the braking.
 */
function standsAfter(
  { forwarded, motion, stop }: KnownVehicle,
  obeyed: Forwarded | null,
  brakingMps2: number,
  nowNs: bigint,
  hangNs: bigint,
): bigint {
  if (stop !== undefined) return brakingNs(stop.speedMps, brakingMps2) + settlingNs;
  const last = obeyed ?? forwarded.lastObeyed(nowNs);
  if (last === null) return 0n;
  const mps = Math.max(commandedSpeed(last, nowNs), commandedSpeed(last, nowNs + hangNs));
  const isDriven = mps > 0 || forwarded.hasPending(nowNs);
  if (!isDriven && motion.isAtRest && !motion.isSilent(nowNs)) return 0n;
  const sinceNs = obeyed === null ? nowNs - (forwarded.obeyedUntil(last) ?? nowNs) : 0n;
  return later(brakingNs(mps, brakingMps2) + settlingNs - sinceNs, 0n);
}

/** The place of a stop after this way, m; off its path a vehicle rolls on in the direction in which it was seen. */
function movedOn(place: StopPlace | null, motion: VehicleMotion, wayM: number): StopPlace | null {
  if (place === null || wayM === 0) return place;
  if (place.path !== null) return { ...place, s: Math.min(place.s + wayM, place.path.length) };
  return rolledOn(place, motion, null, wayM, 0n);
}

/**
 * How a vehicle brakes that is commanded to from a later time on: its stop goes on, or it follows its plan
 * until then, or until its time-out is over. A vehicle that is at rest by then stays there.
 */
function brakingAt(
  { forwarded, motion, stop }: KnownVehicle,
  plan: Forwarded | null,
  brakingMps2: number,
  { steadyNs: nowNs, stampNs }: Moment,
  afterNs: bigint,
): Omit<Braking, 'pose'> {
  if (stop !== undefined) {
    const { place } = stop;
    // It brakes on from its last commands, which may be old on a busy machine.
    const brakedS = Math.min(toS(nowNs - stop.atNs + afterNs), stop.speedMps / brakingMps2);
    const speedMps = Math.max(0, stop.speedMps - brakingMps2 * brakedS);
    const drivenM = brakingWayM(stop.speedMps, speedMps, brakingMps2);
    return {
      place: movedOn(place, motion, drivenM),
      speedMps,
      brakingMps2,
      stampNs: stampNs + afterNs,
    };
  }
  if (plan === null) return { place: null, speedMps: 0, brakingMps2, stampNs };
  const atNs = nowNs + afterNs;
  const waiting = forwarded.waiting('trajectory', nowNs);
  if (waiting === null ? forwarded.isOutlived(plan, nowNs) : atNs < waiting.validFromNs) {
    // It obeys a command of another kind.
    const obeyed = forwarded.obeyed(nowNs);
    const mps = obeyed === null ? 0 : commandedSpeed(obeyed, nowNs);
    // It brakes at least as declared: half of that way is near to where any vehicle comes to rest.
    const onM = mps * toS(afterNs + responseNs) + brakingWayM(mps, 0, brakingMps2) / 2;
    const place =
      waiting === null
        ? placeSeen(motion.sighting, motion, onM)
        : placeBeforePlan(waiting, motion, mps, nowNs, onM);
    return { place, speedMps: 0, brakingMps2, stampNs };
  }
  const followed = waiting ?? plan;
  const placeAt = (ns: bigint): StopPlace =>
    waiting === null
      ? placeAhead(plan, motion, ns, nowNs)
      : (placeOnPlan(waiting, ns) ?? placeBeforePlan(waiting, motion, 0, nowNs));
  const untilNs = earlier(atNs, forwarded.obeyedUntil(followed) ?? atNs);
  if (untilNs + longestRollNs < atNs) {
    const restsM = brakingWayM(commandedSpeed(followed, untilNs), 0, brakingMps2) / 2;
    return { place: ahead(placeAt(untilNs), restsM), speedMps: 0, brakingMps2, stampNs };
  }
  // A vehicle with a time-out brakes by itself from then on, one without follows its plan.
  const rolledS = toS(atNs - untilNs);
  const plannedMps = commandedSpeed(followed, untilNs);
  const brakedMps = Math.max(0, plannedMps - brakingMps2 * rolledS);
  const atMps = commandedSpeed(followed, atNs);
  const speedMps = untilNs === atNs ? plannedMps : Math.min(brakedMps, atMps);
  const place = placeAt(atNs);
  if (!place.path) return { place, speedMps, brakingMps2, stampNs: stampNs + afterNs };
  const shorterM = plannedMps * rolledS - brakingWayM(plannedMps, brakedMps, brakingMps2);
  const s = Math.max(0, place.s - shorterM / 2);
  return { place: { ...place, s }, speedMps, brakingMps2, stampNs: stampNs + afterNs };
}
