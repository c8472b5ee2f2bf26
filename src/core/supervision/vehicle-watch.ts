import { later, NS_PER_MS, NS_PER_S } from '../clock-reading.js';

/** A vehicle slower than this stands, m/s: above the noise of measured speeds. */
const REST_MPS = 0.05;

/** It must have stood for this long to be at rest, ns. */
const REST_NS = 100n * NS_PER_MS;

/** A vehicle that was not heard of for this long is silent, ns; CPM Lab vehicles send at 50 Hz. */
const SILENT_NS = NS_PER_S;

/** A silent vehicle that was not heard of for this long is gone, ns. */
const GONE_NS = 2n * NS_PER_S;

interface Track {
  heardAtNs: bigint;
  /** Since when it has stood; null while it moves. */
  standsSinceNs: bigint | null;
  silent: boolean;
}

/** A vehicle fell silent, or was heard of again. */
export interface SilenceChange {
  readonly id: number;
  readonly silent: boolean;
  /** How long it has been, or had been, silent, ns. */
  readonly forNs: bigint;
}

/**
 * Which vehicles move, stand, or are silent. All times are of one steady time line: monotonic in
 * real time, the simulated time in lock-step.
 */
export class VehicleWatch {
  readonly #tracks = new Map<number, Track>();
  readonly #silentNs: bigint;
  readonly #goneNs: bigint;

  /** @param periodNs above 0: with long periods, three of them make a vehicle silent. */
  constructor(periodNs: bigint) {
    this.#silentNs = later(SILENT_NS, 3n * periodNs);
    this.#goneNs = later(GONE_NS, 6n * periodNs);
  }

  /** A state of a vehicle came; tells when it had been silent. */
  heard(id: number, speedMps: number, atNs: bigint): SilenceChange | null {
    const track = this.#tracks.get(id);
    const stands = Math.abs(speedMps) <= REST_MPS;
    if (track === undefined) {
      const standsSinceNs = stands ? atNs : null;
      this.#tracks.set(id, { heardAtNs: atNs, standsSinceNs, silent: false });
      return null;
    }
    const forNs = atNs - track.heardAtNs;
    const wasSilent = track.silent;
    track.heardAtNs = atNs;
    track.silent = false;
    if (!stands) track.standsSinceNs = null;
    else track.standsSinceNs ??= atNs;
    return wasSilent ? { id, silent: false, forNs } : null;
  }

  /** The vehicles that fell silent since the last call. */
  newlySilent(nowNs: bigint): SilenceChange[] {
    const changes: SilenceChange[] = [];
    for (const [id, track] of this.#tracks) {
      const forNs = nowNs - track.heardAtNs;
      if (track.silent || forNs < this.#silentNs) continue;
      track.silent = true;
      changes.push({ id, silent: true, forNs });
    }
    return changes;
  }

  /** True when the vehicle is silent now. */
  isSilent(id: number): boolean {
    return this.#tracks.get(id)?.silent ?? false;
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
