import { nsPerS } from '../time.js';
import { pointOf } from './next-place.js';
import { showsRest, type StopPlace } from './stop-place.js';
import type { Pose, VehicleMotion } from './vehicle-motion.js';

/** A vehicle that rests this far from where it rested was carried, m. */
const carriedM = 0.05;

/** It is being carried when it is seen this far away while its wheels stand, or where they have turned, m. */
const liftedM = 0.3;
const pushedM = 0.5;

/** A vehicle that follows places moves so soon after its place was changed, ns. */
const obeysNs = nsPerS;

/**
 * Where a stopped vehicle rests. It rests where it was commanded to, so its poses there show how far they are from the
 * point that its plan moves. The place changes only when somebody carries the vehicle: a change that the
 * vehicle itself has caused would move it, and that would change the place again.
 */
export class RestPlace {
  #x: number;
  #y: number;
  /** From the place to the poses of the vehicle that rests there, m, m; null: not known. */
  #offset: { readonly x: number; readonly y: number } | null = null;
  /** When the place last changed, and when it was last compared with the states, ns. */
  #changedNs: bigint;
  #comparedNs = 0n;
  /** Since when the vehicle moves again, ns; null: it is at rest. */
  #movesSinceNs: bigint | null = null;
  /** Since then: it may drive by itself. */
  #haveWheelsTurned = false;

  /** @param nowNs steady, ns. */
  constructor(at: StopPlace, nowNs: bigint) {
    ({ x: this.#x, y: this.#y } = pointOf(at));
    this.#changedNs = nowNs;
  }

  /** The vehicle is at rest. @param hasJumped its pose has jumped there: it is still where it was. */
  rests(motion: VehicleMotion, hasJumped: boolean, nowNs: bigint): void {
    if (hasJumped) this.#offset = null;
    this.advance(motion, nowNs);
  }

  get at(): StopPlace {
    return { path: null, x: this.#x, y: this.#y };
  }

  /** Changes the place where the states say that the vehicle was carried elsewhere. */
  advance(motion: VehicleMotion, nowNs: bigint): void {
    const isSeenAgain = motion.isSeenAgainSince(this.#comparedNs);
    if (!motion.isAtRest) this.#movesSinceNs ??= nowNs;
    this.#haveWheelsTurned ||= !showsRest(motion);
    // It would drive all the way to its place from where its own pose says that it is.
    if (motion.sighting !== null && motion.drivesByJump(0)) {
      ({ x: this.#x, y: this.#y } = motion.sighting.pose);
      this.#offset = null;
      this.#changedNs = nowNs;
      motion.confirm();
    }
    const seen = motion.reliableSighting(nowNs);
    if (seen === null) return;
    this.#comparedNs = nowNs;
    const away = this.#awayFrom(seen.pose);
    if (motion.isAtRest) {
      if (away === null || this.#hasDrivenThere()) this.#restsAt(seen.pose);
      else if (away.distance > carriedM) this.#move(away, nowNs);
      this.#movesSinceNs = null;
      this.#haveWheelsTurned = false;
    } else {
      const mostM = isSeenAgain ? carriedM : this.#haveWheelsTurned ? pushedM : liftedM;
      if (away !== null && away.distance > mostM) this.#move(away, nowNs);
    }
  }

  /** From where it rested to where the vehicle is seen, m, m, m; null where its poses at rest are not known. */
  #awayFrom(pose: Pose) {
    if (this.#offset === null) return null;
    const x = pose.x - this.#x - this.#offset.x;
    const y = pose.y - this.#y - this.#offset.y;
    return { x, y, distance: Math.hypot(x, y) };
  }

  /** The vehicle began to move just after its place had been changed: it was not there. */
  #hasDrivenThere(): boolean {
    if (this.#movesSinceNs === null) return false;
    const sinceNs = this.#movesSinceNs - this.#changedNs;
    return sinceNs >= 0n && sinceNs < obeysNs;
  }

  #restsAt({ x, y }: Pose): void {
    this.#offset = { x: x - this.#x, y: y - this.#y };
  }

  #move(by: { readonly x: number; readonly y: number }, nowNs: bigint): void {
    this.#x += by.x;
    this.#y += by.y;
    this.#changedNs = nowNs;
  }
}
