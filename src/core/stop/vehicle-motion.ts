import { earlier, later, type Moment, nsPerMs, nsPerS, toS } from '../time.js';
import { magnitude } from '../hermite.js';
import { StateDelay } from './state-delay.js';
import { StateOrder } from './state-order.js';

/** Where a vehicle is: m, m, rad. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly yaw: number;
}

/** What one state of a vehicle says of its motion. */
export interface StampedMotion {
  /** m/s, negative backwards. */
  readonly speedMps: number;
  readonly pose: Pose;
  /** Of the state, ns; 0 where its sender does not stamp states. */
  readonly createStampNs: bigint;
}

/** Where a vehicle was at a steady instant, ns. */
export interface Sighting {
  readonly pose: Pose;
  readonly atNs: bigint;
  /** The state has a stamp so much later than that, ns: the clock of the vehicle is ahead. */
  readonly stampAheadNs: bigint;
}

/** A vehicle slower than this stands, m/s: above the noise of measured speeds. */
export const restMps = 0.05;

/** A vehicle that has moved farther than this from where it stood is not at rest, m. */
const restM = 0.03;

/** Speed and pose must show rest for this long, ns. */
const restNs = 300n * nsPerMs;

/** A vehicle is silent when no state came for this long, ns; CPM Lab vehicles send at 50 Hz. */
const silentNs = nsPerS;

/** The same in periods; the longer one counts. */
const silentPeriods = 3n;

/** A state says where the vehicle is for this long, ns, or for a period where that is longer. */
const freshNs = 250n * nsPerMs;

/** A stamp that is farther from now is that of a clock that was not set, ns: no network delays a state for this long. */
const longestDelayNs = 10n * nsPerS;

/** Poses count again when they have agreed with each other and with the speed for this long, ns. */
const steadyNs = 300n * nsPerMs;

/** A pose jumps when it is farther from the one before than this, and than a vehicle drives, m, m/s. */
const jumpM = 0.1;
const fastestMps = 5;

/** And so of a vehicle at rest, beside the way on which a person carries it off, m, m/s. */
const restingJumpM = 0.05;
const carryingMps = 1.5;

/** A vehicle that drives so much faster than commanded, or so fast the other way, m/s, drives to a place. */
const towardsMps = 0.5;

/** Poses are compared with the measured speeds over this way, m. */
const comparedM = 0.1;

/** Braking is measured over this time at least, ns: speeds have noise. */
const brakingSpanNs = 40n * nsPerMs;

/** No vehicle brakes harder, m/s². */
const hardestMps2 = 10;

/** A pose stands still that moves this much less than half the way by the measured speeds, m. */
const frozenM = 0.03;

/**
 * What is known of the motion of one vehicle. All times are of the steady clock of a `Moment`. Numbers that
 * are not finite count as not measured.
 */
export class VehicleMotion {
  readonly #silentNs: bigint;
  readonly #freshNs: bigint;
  readonly #order = new StateOrder();
  readonly #delay = new StateDelay();
  #speedMps: number | null = null;
  /** Where braking is measured from. */
  #brakesFrom: { readonly mps: number; readonly atNs: bigint } | null = null;
  /** How fast the measured speed fell last, m/s²; 0 where it did not. */
  #brakesBy = 0;
  #pose: Pose | null = null;
  #seenAtNs: bigint | null = null;
  /** When the first state came after a gap in which the last one said no longer where the vehicle is, ns. */
  #seenAgainAtNs: bigint | null = null;
  /** Create stamp of the last state, ns. */
  #stampNs = 0n;
  /** When the vehicle was where its pose says, ns. */
  #poseAtNs = 0n;
  /** The stamp of the last state was so much later than its reception, ns. */
  #stampAheadNs = 0n;
  /** Where the poses are compared from, and the way by the measured speeds since then, m. */
  #comparedFrom: Pose | null = null;
  #drivenM = 0;
  /** When the poses last contradicted each other or the speed, ns. */
  #unsteadyAtNs: bigint | null = null;
  /** The first pose of all. */
  #firstPose: Pose | null = null;
  #hasMoved = false;
  /** Where the vehicle was seen before its pose jumped; null: it has not, or was confirmed since. */
  #jumpedFrom: Sighting | null = null;
  /** Its speed at that time, m/s; null: not measured. */
  #jumpedMps: number | null = null;
  /** Since when the vehicle stands, and where; null while it moves. */
  #rests: { readonly sinceNs: bigint; readonly pose: Pose | null } | null = null;

  /** @param periodNs above 0. */
  constructor(periodNs: bigint) {
    this.#silentNs = later(silentNs, silentPeriods * periodNs);
    this.#freshNs = later(freshNs, periodNs);
  }

  /** Last measured speed, m/s, however old; null before the first. */
  get speedMps(): number | null {
    return this.#speedMps;
  }

  /**
   * What the vehicle drives now at most, m/s in either direction: since its last state it has gone on braking as before,
   * by itself or by the commands of another program. Null where its speed is not measured.
   */
  mostMps(nowNs: bigint): number | null {
    if (this.#speedMps === null) return null;
    const brakesBy = this.isFresh(nowNs) ? this.#brakesBy : 0;
    const sinceS = Math.max(0, toS(nowNs - this.#poseAtNs));
    return Math.max(0, Math.abs(this.#speedMps) - brakesBy * sinceS);
  }

  /**
   * Takes in a state that was received then.
   * @returns false when it is an old one, and does not count.
   */
  observe({ speedMps, pose, createStampNs }: StampedMotion, received: Moment): boolean {
    const receivedAtNs = received.steadyNs;
    if (!this.#order.isNew(createStampNs, receivedAtNs)) return false;
    const before = this.sighting;
    const beforeMps = this.#speedMps;
    const ofNs = this.#delay.instantOf(createStampNs, receivedAtNs);
    const atNs = later(this.#seenAtNs ?? ofNs, ofNs);
    if (!this.isFresh(atNs)) this.#seenAgainAtNs = atNs;
    const passedS = toS(atNs - (this.#seenAtNs ?? atNs));
    this.#speedMps = Number.isFinite(speedMps) ? speedMps : null;
    this.#pose = Number.isFinite(pose.x) && Number.isFinite(pose.y) ? pose : null;
    this.#seenAtNs = atNs;
    const ageNs = ageOf(createStampNs, received.stampNs);
    this.#poseAtNs = earlier(atNs, receivedAtNs - later(ageNs, 0n));
    this.#stampAheadNs = later(-ageNs, 0n);
    const drivenS = Math.min(passedS, this.#sinceStamp(createStampNs));
    this.#stampNs = createStampNs;
    this.#measureBraking();
    const hadJumped = this.hasJumped;
    if (this.#pose !== null) this.#compare(before, this.#pose, passedS, drivenS, atNs);
    if (this.hasJumped && !hadJumped) this.#jumpedMps = beforeMps;
    if (this.#speedMps === null || Math.abs(this.#speedMps) > restMps) this.#rests = null;
    else if (this.#rests === null || hasLeft(this.#rests.pose, this.#pose)) {
      this.#rests = { sinceNs: atNs, pose: this.#pose };
    }
    return true;
  }

  /** True when no state came for a while: what was measured says nothing about now. */
  isSilent(nowNs: bigint): boolean {
    return this.#seenAtNs === null || nowNs - this.#seenAtNs >= this.#silentNs;
  }

  /** True when a state came so lately that it says where the vehicle is. */
  isFresh(nowNs: bigint): boolean {
    return this.#seenAtNs !== null && nowNs - this.#seenAtNs <= this.#freshNs;
  }

  /** True when a state came at this instant, ns, or later. */
  isSeenSince(atNs: bigint): boolean {
    return this.#seenAtNs !== null && this.#seenAtNs >= atNs;
  }

  /** True when the vehicle was not seen for a while, until this instant, ns, or later. */
  isSeenAgainSince(atNs: bigint): boolean {
    return this.#seenAgainAtNs !== null && this.#seenAgainAtNs >= atNs;
  }

  /** Where the vehicle was last seen, however long ago; null where that is not known. */
  get sighting(): Sighting | null {
    if (this.#pose === null || this.#seenAtNs === null) return null;
    return { pose: this.#pose, atNs: this.#poseAtNs, stampAheadNs: this.#stampAheadNs };
  }

  /**
   * Where the vehicle is: null when the last state is old, when the poses have jumped, or stood still
   * in spite of the speed, a short while ago, and when a jump was not confirmed.
   */
  reliableSighting(nowNs: bigint): Sighting | null {
    const { sighting } = this;
    if (sighting === null || nowNs - sighting.atNs > this.#freshNs) return null;
    if (this.hasJumped) return null;
    const isSteady = this.#unsteadyAtNs === null || nowNs - this.#unsteadyAtNs > steadyNs;
    return isSteady ? sighting : null;
  }

  /** True when the pose has jumped, and was not confirmed since then: it may be that of another place. */
  get hasJumped(): boolean {
    return this.#jumpedFrom !== null;
  }

  /** Where the vehicle was seen before that; null where it has not jumped. */
  get jumpedFrom(): Sighting | null {
    return this.#jumpedFrom;
  }

  /**
   * True for a vehicle that drives to its commanded place since its pose has jumped: it follows places by that pose.
   * @param mostMps the highest commanded speed since then, m/s
   */
  drivesByJump(mostMps: number): boolean {
    if (!this.hasJumped || this.#speedMps === null) return false;
    const onwardsMps = this.#speedMps * Math.sign(this.#jumpedMps ?? 0);
    return Math.abs(this.#speedMps) > mostMps + towardsMps || onwardsMps < -towardsMps;
  }

  /** False as long as all poses were of one place: they may be those of a vehicle that is not localised. */
  get hasMoved(): boolean {
    return this.#hasMoved;
  }

  /** The pose is where the vehicle is expected. */
  confirm(): void {
    this.#jumpedFrom = null;
  }

  /** True when the poses have contradicted each other or the speed since 0.3 s before this instant, ns. */
  isUnsteadySince(atNs: bigint): boolean {
    return this.#unsteadyAtNs !== null && this.#unsteadyAtNs > atNs - steadyNs;
  }

  #measureBraking(): void {
    if (this.#speedMps === null) {
      this.#brakesFrom = null;
      this.#brakesBy = 0;
      return;
    }
    const [mps, atNs] = [Math.abs(this.#speedMps), this.#poseAtNs];
    const from = this.#brakesFrom;
    const spanNs = atNs - (from?.atNs ?? atNs);
    if (from !== null && spanNs >= 0n && spanNs < brakingSpanNs) return;
    const isMeasured = from !== null && spanNs > 0n && spanNs <= this.#freshNs;
    const fallsBy = isMeasured ? (from.mps - mps) / toS(spanNs) : 0;
    this.#brakesBy = Math.min(hardestMps2, Math.max(0, fallsBy));
    this.#brakesFrom = { mps, atNs };
  }

  /** Since the state before by the stamps, s; infinite where these do not say. */
  #sinceStamp(createStampNs: bigint): number {
    const sinceNs = createStampNs - this.#stampNs;
    return this.#stampNs > 0n && sinceNs > 0n ? toS(sinceNs) : Infinity;
  }

  /**
   * @param passedS since the pose before, s.
   * @param drivenS the same, but not longer than by the stamps: of states that waited, one may count for its stamp, and
   *   the next one for its reception.
   */
  #compare(
    before: Sighting | null,
    pose: Pose,
    passedS: number,
    drivenS: number,
    atNs: bigint,
  ): void {
    if (before === null || this.#comparedFrom === null || this.#firstPose === null) {
      this.#firstPose ??= pose;
      this.#compareFrom(pose);
      return;
    }
    // Nothing is known of the speed in a gap of the states.
    this.#drivenM += Math.abs(this.#speedMps ?? 0) * Math.min(drivenS, toS(this.#freshNs));
    const movedM = distance(this.#comparedFrom, pose);
    const mostM = this.isAtRest
      ? restingJumpM + carryingMps * passedS
      : jumpM + fastestMps * passedS;
    const jumps = distance(before.pose, pose) > mostM;
    const isFrozen = movedM < this.#drivenM / 2 - frozenM;
    if (jumps || isFrozen) this.#unsteadyAtNs = atNs;
    if (jumps) {
      this.#jumpedFrom ??= before;
      this.#firstPose = pose;
    }
    this.#hasMoved ||= distance(this.#firstPose, pose) > comparedM;
    if (jumps || (!isFrozen && this.#drivenM > comparedM)) this.#compareFrom(pose);
  }

  #compareFrom(pose: Pose): void {
    this.#comparedFrom = pose;
    this.#drivenM = 0;
  }

  /** True when speed and pose have shown rest for a while. */
  get isAtRest(): boolean {
    if (this.#rests === null || this.#seenAtNs === null) return false;
    return this.#seenAtNs - this.#rests.sinceNs >= restNs;
  }
}

/** Time since a state was made by its stamp, ns, negative for one of a clock that is ahead; 0 where that says nothing. */
function ageOf(createStampNs: bigint, stampNs: bigint): bigint {
  const ageNs = stampNs - createStampNs;
  const isPossible = -longestDelayNs < ageNs && ageNs < longestDelayNs;
  return createStampNs > 0n && isPossible ? ageNs : 0n;
}

function hasLeft(from: Pose | null, to: Pose | null): boolean {
  if (from === null || to === null) return from !== to;
  return distance(from, to) > restM;
}

function distance(from: Pose, to: Pose): number {
  return magnitude(to.x - from.x, to.y - from.y);
}
