import { later, NS_PER_MS, NS_PER_S } from '../clock-reading.js';

/** A vehicle slower than this stands, m/s: above the noise of measured speeds. */
const REST_MPS = 0.05;

/** It must have stood for this long to be at rest, ns. */
const REST_NS = 100n * NS_PER_MS;

/** A vehicle that was not heard of for this long is gone, ns; CPM Lab vehicles send at 50 Hz. */
const GONE_NS = 2n * NS_PER_S;

interface Track {
  heardAtNs: bigint;
  /** Since when it has stood; null while it moves. */
  standsSinceNs: bigint | null;
}

/**
 * Which vehicles move, stand, or are gone. All times are of one steady time line: monotonic in
 * real time, the simulated time in lock-step.
 */
export class VehicleWatch {
  readonly #tracks = new Map<number, Track>();
  readonly #goneNs: bigint;

  /** @param periodNs above 0: where it is long, a vehicle is gone after six of them. */
  constructor(periodNs: bigint) {
    this.#goneNs = later(GONE_NS, 6n * periodNs);
  }

  /** A state of a vehicle came. */
  heard(id: number, speedMps: number, atNs: bigint): void {
    const stands = Math.abs(speedMps) <= REST_MPS;
    const track = this.#tracks.get(id);
    if (track === undefined) {
      this.#tracks.set(id, { heardAtNs: atNs, standsSinceNs: stands ? atNs : null });
      return;
    }
    track.heardAtNs = atNs;
    if (!stands) track.standsSinceNs = null;
    else track.standsSinceNs ??= atNs;
  }

  /** True when the vehicle has stood for a while after `sinceNs`, as far as it was heard of. */
  isAtRest(id: number, sinceNs: bigint): boolean {
    const track = this.#tracks.get(id);
    if (track === undefined || track.standsSinceNs === null) return false;
    return track.heardAtNs - later(track.standsSinceNs, sinceNs) >= REST_NS;
  }

  /** True when nothing has been heard of the vehicle for a while, counted from `sinceNs`. */
  isGone(id: number, sinceNs: bigint, nowNs: bigint): boolean {
    const heardAtNs = this.#tracks.get(id)?.heardAtNs ?? sinceNs;
    return nowNs - later(heardAtNs, sinceNs) >= this.#goneNs;
  }
}
