import { later, nsPerS } from './time.js';

/** One sample about a vehicle: a state, or an observation. */
export interface VehicleSample<T> {
  /** 0 to 255. */
  readonly vehicleId: number;
  /** When it was made, ns since 1970, or simulated time. */
  readonly createStampNs: bigint;
  /** It must not be used before this time, ns. CPM Lab vehicles: 60 ms after `createStampNs`. */
  readonly validAfterNs: bigint;
  readonly payload: T;
}

/** A sample that is stamped farther ahead of now than this would hide all that come until then, ns. */
const longestAheadNs = nsPerS;

/** How far a sample is ahead of now, ns, when that is too far for it to count; otherwise null. */
export function tooFarAheadNs(
  { createStampNs, validAfterNs }: VehicleSample<unknown>,
  nowNs: bigint,
): bigint | null {
  const newestNs = later(createStampNs, validAfterNs);
  if (newestNs <= nowNs) return null;
  const aheadNs = newestNs - nowNs;
  return aheadNs > longestAheadNs ? aheadNs : null;
}

/** What is known about one active vehicle at a time. */
export type WorldEntry<T> = PresentVehicle<T> | AbsentVehicle;

/** A sample of the vehicle was received and is valid. */
export interface PresentVehicle<T> {
  readonly present: true;
  readonly vehicleId: number;
  readonly createStampNs: bigint;
  /** Time since the sample was made, ns; a step of the wall clock in between is taken out. */
  readonly ageNs: bigint;
  readonly payload: T;
}

/** No sample of the vehicle is valid yet. The encoder decides whether it is listed. */
export interface AbsentVehicle {
  readonly present: false;
  readonly vehicleId: number;
}

interface Stored<T> {
  readonly sample: VehicleSample<T>;
  /** Order of arrival. */
  readonly arrival: number;
  /** Create stamp and valid-after time on the time line of now: they move with a clock step. */
  createdNs: bigint;
  validFromNs: bigint;
  /** Higher is newer: the create stamp, far lower for what was stored before a clock step. */
  rank: bigint;
}

interface Track<T> {
  /** Its entry while no sample is valid. */
  readonly absent: AbsentVehicle;
  /** As `insert` orders them. */
  readonly samples: readonly Stored<T>[];
}

/** More than any stamp (an unsigned 64-bit integer) can differ from another. */
const beforeAllStamps = 1n << 64n;

/** Samples kept per vehicle: more than a second of CPM Lab vehicles (50 Hz). */
const defaultCapacity = 64;

/**
 * The newest state of every active vehicle. At a time `t` that is the sample with the highest
 * create stamp among those with `validAfterNs <= t`; of two with the same stamp the later arrival
 * (CPM Lab middleware). Samples that can never be the newest any more are thrown away at once,
 * and each vehicle keeps a bounded number of others, whether they are looked at or not.
 */
export class World<T> {
  readonly #tracks = new Map<number, Stored<T>[]>();
  /** The same, ordered by id. */
  #ordered: readonly Track<T>[] = [];
  readonly #capacity: number;
  #settledNs = -beforeAllStamps;
  #arrivals = 0;

  /**
   * @param activeIds vehicles to keep; samples of others are ignored.
   * @param capacity samples kept per vehicle, 2 or more.
   */
  constructor(activeIds: Iterable<number>, capacity = defaultCapacity) {
    for (const id of activeIds) this.#tracks.set(id, []);
    this.#order();
    this.#capacity = capacity;
  }

  /** Keeps a further vehicle; nothing happens when it is active already. */
  add(vehicleId: number): void {
    if (this.#tracks.has(vehicleId)) return;
    this.#tracks.set(vehicleId, []);
    this.#order();
  }

  /** Takes in a sample; false when its vehicle is not active. */
  put(sample: VehicleSample<T>): boolean {
    const track = this.#tracks.get(sample.vehicleId);
    if (track === undefined) return false;
    insert(track, {
      sample,
      arrival: this.#arrivals++,
      createdNs: sample.createStampNs,
      validFromNs: sample.validAfterNs,
      rank: sample.createStampNs,
    });
    dropOutdated(track, this.#settledNs);
    if (track.length > this.#capacity) this.#shrink(track);
    return true;
  }

  /** Promises that no time before `tNs` will be looked at. */
  settle(tNs: bigint): void {
    if (tNs > this.#settledNs) this.#settledNs = tNs;
  }

  /**
   * One entry per active vehicle, ordered by id; changes nothing.
   * @param tNowNs not before a time that is settled, unless the clock stepped.
   */
  peek(tNowNs: bigint): WorldEntry<T>[] {
    const entries: WorldEntry<T>[] = [];
    for (const { absent, samples } of this.#ordered) {
      const newest = newestAt(samples, tNowNs);
      if (newest === undefined) {
        entries.push(absent);
        continue;
      }
      const { vehicleId, createStampNs, payload } = newest.sample;
      const ageNs = tNowNs - newest.createdNs;
      entries.push({ present: true, vehicleId, createStampNs, ageNs, payload });
    }
    return entries;
  }

  /**
   * The wall clock stepped: what is stored moves along, and whatever arrives from now on is newer
   * than all of it, whatever its stamp says. Without this, a clock set back by an hour would
   * freeze the world for an hour.
   * @param stepNs size of the step, ns, forward is positive.
   */
  clockStepped(stepNs: bigint): void {
    this.#settledNs += stepNs;
    for (const track of this.#tracks.values()) {
      for (const stored of track) {
        stored.createdNs += stepNs;
        stored.validFromNs += stepNs;
        stored.rank -= beforeAllStamps;
      }
    }
  }

  #order(): void {
    this.#ordered = [...this.#tracks]
      .sort(([a], [b]) => a - b)
      .map(([vehicleId, samples]) => ({ absent: { present: false, vehicleId }, samples }));
  }

  #shrink(track: Stored<T>[]): void {
    // The first one is kept when it is the newest valid one; of the others the oldest arrival goes.
    const from = (track[0]?.validFromNs ?? 0n) <= this.#settledNs ? 1 : 0;
    let oldest = from;
    track.forEach((stored, i) => {
      if (i > from && stored.arrival < (track[oldest]?.arrival ?? 0)) oldest = i;
    });
    track.splice(oldest, 1);
  }
}

/**
 * Keeps a track ordered by valid-after time, with ranks that never fall: a sample that another
 * one beats whenever it is valid is left out.
 */
function insert<T>(track: Stored<T>[], stored: Stored<T>): void {
  let from = track.length;
  while (from > 0 && validFrom(track, from - 1) > stored.validFromNs) from--;
  if (from > 0 && rank(track, from - 1) > stored.rank) return;
  let to = from;
  while (to < track.length && rank(track, to) <= stored.rank) to++;
  while (from > 0 && validFrom(track, from - 1) === stored.validFromNs) from--;
  if (from === track.length) track.push(stored);
  else track.splice(from, to - from, stored);
}

/** Without a closure for each vehicle: start signals of a large fleet are made of this. */
function newestAt<T>(track: readonly Stored<T>[], tNs: bigint): Stored<T> | undefined {
  for (let i = track.length - 1; i >= 0; i--) {
    const stored = track[i];
    if (stored !== undefined && stored.validFromNs <= tNs) return stored;
  }
  return undefined;
}

/** Throws away all before the newest sample that is valid at `tNs`. */
function dropOutdated(track: Stored<unknown>[], tNs: bigint): void {
  let valid = 0;
  while (valid < track.length && validFrom(track, valid) <= tNs) valid++;
  // Not `splice`, which makes a list of what goes.
  for (; valid > 1; valid--) track.shift();
}

function validFrom(track: readonly Stored<unknown>[], i: number): bigint {
  return track[i]?.validFromNs ?? 0n;
}

function rank(track: readonly Stored<unknown>[], i: number): bigint {
  return track[i]?.rank ?? 0n;
}
