import { later, nsPerMs, nsPerS } from '../time.js';

/** Where a vehicle is: m, m, rad. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly yaw: number;
}

/** What one state of a vehicle says of its motion. */
export interface MotionSample {
  /** m/s, negative backwards. */
  readonly speedMps: number;
  readonly pose: Pose;
}

/** Where a vehicle was at a steady instant, ns. */
export interface Sighting {
  readonly pose: Pose;
  readonly atNs: bigint;
}

/** A vehicle slower than this stands, m/s: above the noise of measured speeds. */
export const restMps = 0.05;

/** A vehicle that has moved farther than this from where it stood is not at rest, m. */
const restM = 0.03;

/** Speed and pose must show rest for this long, ns. */
const restNs = 300n * nsPerMs;

/** A vehicle is silent when no state came for this long, ns; CPM Lab vehicles send at 50 Hz. */
const silentNs = nsPerS;

/** A vehicle is silent after so many periods, where these are longer. */
const silentPeriods = 3n;

/**
 * What is known of the motion of one vehicle. All times are of one steady time line: monotonic in
 * real time, the simulated time in lock-step. Numbers that are not finite count as not measured.
 */
export class VehicleMotion {
  readonly #silentNs: bigint;
  #speedMps: number | null = null;
  #pose: Pose | null = null;
  #seenAtNs: bigint | null = null;
  /** Since when the vehicle stands, and where; null while it moves. */
  #stands: { readonly sinceNs: bigint; readonly pose: Pose | null } | null = null;

  /** @param periodNs above 0. */
  constructor(periodNs: bigint) {
    this.#silentNs = later(silentNs, silentPeriods * periodNs);
  }

  /** Last measured speed, m/s, however old; null before the first. */
  get speedMps(): number | null {
    return this.#speedMps;
  }

  /** Takes in a state that was received at this instant, ns. */
  observe({ speedMps, pose }: MotionSample, atNs: bigint): void {
    this.#speedMps = Number.isFinite(speedMps) ? speedMps : null;
    this.#pose = Number.isFinite(pose.x) && Number.isFinite(pose.y) ? pose : null;
    this.#seenAtNs = atNs;
    if (this.#speedMps === null || Math.abs(this.#speedMps) > restMps) this.#stands = null;
    else if (this.#stands === null || hasLeft(this.#stands.pose, this.#pose)) {
      this.#stands = { sinceNs: atNs, pose: this.#pose };
    }
  }

  /** True when no state came for a while: what was measured says nothing about now. */
  isSilent(nowNs: bigint): boolean {
    return this.#seenAtNs === null || nowNs - this.#seenAtNs >= this.#silentNs;
  }

  /** True when a state came at this instant, ns, or later. */
  isSeenSince(atNs: bigint): boolean {
    return this.#seenAtNs !== null && this.#seenAtNs >= atNs;
  }

  /** Where the vehicle was last seen, however long ago; null where that is not known. */
  get sighting(): Sighting | null {
    if (this.#pose === null || this.#seenAtNs === null) return null;
    return { pose: this.#pose, atNs: this.#seenAtNs };
  }

  /** True when speed and pose have shown rest for a while. */
  get isAtRest(): boolean {
    if (this.#stands === null || this.#seenAtNs === null) return false;
    return this.#seenAtNs - this.#stands.sinceNs >= restNs;
  }
}

function hasLeft(from: Pose | null, to: Pose | null): boolean {
  if (from === null || to === null) return from !== to;
  return Math.hypot(to.x - from.x, to.y - from.y) > restM;
}
