import {
  commandKinds,
  createStampOf,
  later,
  stopSymbol,
  validAfterOf,
  type Command,
  type PreparedStop,
  type ReportedVehicle,
  type StandStill,
} from '../../core/index.js';
import type { TransportWriter } from '../../ports/index.js';
import type { EmergencySample, EmergencyStop } from '../../dds/index.js';
import { topics } from '../../messages/index.js';
import { createToKeep, emergencySample, longestFloorNs } from './emergency-sample.js';
import { keysAhead, type SampleAhead, SamplesAhead } from './samples-ahead.js';

/** From one renewal of samples to the next, ns; each renews a part of the vehicles. */
const refreshNs = 50_000_000n;
/** Number of parts: all vehicles at once would hold up the commands of a large fleet. */
const refreshParts = 4;
/** Vehicles of a part at least. */
const fewestRefreshed = 8;

/** Samples that rest at a place are all renewed in this time, ns, since the vehicle soon leaves the place. */
const placesNs = 50_000_000n;
/** In a large fleet that takes this long per vehicle, ns, which leaves processor time for the commands. */
const perPlaceNs = 1_250_000n;
/** `refreshPlaces` is called at least this often, ns. */
export const placesEveryNs = 20_000_000n;
/** `refreshPlaces` does nothing when its last call was less than this ago, ns. */
const shortestPartNs = 10_000_000n;
/** A call of `refreshPlaces` may be late by this, ns. */
const longestDelayNs = 10_000_000n;

/** A sample that rests at a place is not older than this when it is written, ns. */
export function longestPlaceAge(places: number): bigint {
  return renewalOf(places) + placesEveryNs + longestDelayNs;
}

/** In this time all places are made anew, ns. */
function renewalOf(places: number): bigint {
  return later(placesNs, BigInt(places) * perPlaceNs);
}

/** From one repetition of the emergency samples to the next, ns. */
export const emergencyRepeatNs = 50_000_000n;
/** No repetition begins later than this after the first, ns. */
export const emergencyDurationNs = 1_000_000_000n;

/*
 * Keys of the emergency samples, which are written in the order of their keys:
 *
 *   0                                stop trigger: the controllers stop before the vehicles
 *   1 + id * keysPerVehicle          first key of a vehicle:
 *     + 0 … keysAhead - 1            samples of `SamplesAhead`
 *     + keysAhead + 2 * row          sample that holds from a later time on
 *     + keysAhead + 2 * row + 1      sample that holds from its writing on
 *
 * Rows 0 to 3 are the kinds of commands; row 4 has trajectories after a hang.
 */
const stopTriggerKey = 0;
const keysPerVehicle = keysAhead + 10;
const trajectoryRow = commandKinds.indexOf('trajectory');

interface Current extends SampleAhead {
  readonly key: number;
}

export interface EmergencySamplesOptions {
  readonly emergencyStop: EmergencyStop;
  /** The commands that make these vehicles stand still, as of a monotonic instant, ns. */
  readonly standStill: (
    atNs: bigint,
    ids: readonly number[],
    prepared: Omit<PreparedStop, 'hangAfterNs'>,
  ) => readonly StandStill[];
  readonly writerOf: (kind: Command['kind']) => TransportWriter;
  /** Of system triggers, on the controller side. */
  readonly triggers: TransportWriter;
  /** The monotonic clock. */
  readonly nowNs: () => bigint;
  /** True: commands keep the stamps that they have; the time does not run by the wall clock. */
  readonly simulatedTime: boolean;
}

/**
 * Keeps the emergency stop ready: for every vehicle that was commanded the commands that make it
 * stand still, for the controllers the stop trigger.
 */
export class EmergencySamples {
  readonly #options: EmergencySamplesOptions;
  /** Vehicles that were commanded. */
  readonly #commanded = new Set<number>();
  /** The vehicles that were commanded to follow a trajectory. */
  readonly #withPlace: number[] = [];
  /** Keys of the samples of each vehicle. */
  readonly #keys = new Map<number, number[]>();
  /**
   * Of each vehicle the samples that hold from the time of their writing on, by row, and their keys. Where no
   * command of a kind may hold yet, it is the sample that holds from a later time on.
   */
  readonly #current = new Map<number, Map<number, Current>>();
  readonly #ahead = new Map<number, SamplesAhead>();
  /** Vehicles with a command that waits for its time and is not outranked. */
  readonly #waiting = new Set<number>();
  /** Vehicles to which a stop command went last. */
  readonly #stopping = new Set<number>();
  /** The create stamps that the samples of these vehicles keep, ns; the others get that of their writing. */
  readonly #keptCreateNs = new Map<number, bigint>();
  /** The clock of the stamps less the monotonic one at the last renewal, ns. */
  #stampOffsetNs = 0n;
  #refreshAtNs: bigint;
  /** The vehicles whose samples are made anew next, in this order; then it begins with the first one. */
  #aging: number[] = [];
  #placesAtNs = 0n;
  /** How many of the vehicles with a place had theirs made anew since the first one had. */
  #placesDone = 0;
  /** Vehicles with a command that their samples do not cover. */
  readonly #uncovered = new Set<number>();

  constructor(options: EmergencySamplesOptions) {
    this.#options = options;
    this.#refreshAtNs = options.nowNs();
    const bytes = topics.systemTrigger.codec.encode({ next_start: { nanoseconds: stopSymbol } });
    const { emergencyStop, triggers } = options;
    emergencyStop.set(stopTriggerKey, { writer: triggers, bytes, patches: [], floorNs: 0n });
  }

  /**
   * A command goes to a vehicle. The first of its kind, the first after a stop, and one that would outrank the
   * samples are covered as soon as the commands that came with them were handled: making the samples takes longer
   * than forwarding all of these.
   */
  commanded(command: Command): void {
    const { vehicle_id: id } = command.message;
    const wasStopped = this.#stopping.delete(id);
    const stampNs = this.#stampNs();
    const isOutranked = this.#isOutrankedBy(id, command, stampNs);
    const isCovered = !wasStopped && this.#hasSample(id, command) && !isOutranked;
    const waits = this.#waits(id, command, stampNs);
    if (isCovered && !waits) return;
    if (command.kind === 'trajectory' && !this.#withPlace.includes(id)) this.#withPlace.push(id);
    this.#commanded.add(id);
    this.#coverSoon();
    if (!isCovered) this.#uncovered.add(id);
    if (waits) this.#waiting.add(id);
  }

  /** A stop command goes to a vehicle: its samples are those of a vehicle that drives, when it is the first one. */
  stopped(id: number): void {
    if (this.#stopping.has(id)) return;
    this.#stopping.add(id);
    this.#uncover(id);
  }

  /** A command of its controller goes to a vehicle: its samples are those of a stopped one, when it is the first. */
  released(id: number): void {
    if (this.#stopping.delete(id)) this.#uncover(id);
  }

  /** Another program, or another thread, has stopped these vehicles: where they are may not be known any more. */
  stoppedElsewhere(ids: readonly number[] | 'all'): void {
    for (const id of ids === 'all' ? this.#commanded : ids) this.#uncover(id);
  }

  #uncover(id: number): void {
    if (!this.#commanded.has(id)) return;
    this.#coverSoon();
    this.#uncovered.add(id);
  }

  /** Before the first vehicle is added that needs it. */
  #coverSoon(): void {
    if (this.#uncovered.size === 0 && this.#waiting.size === 0) queueMicrotask(() => this.cover());
  }

  /** Vehicles whose samples have create stamps that are ahead of now, for what follows these samples. */
  sentAhead(): ReportedVehicle[] {
    return [...this.#keptCreateNs].map(([id, newestCreateNs]) => {
      return { id, kinds: [], newestCreateNs, newestValidNs: 0n, obeyedUntilNs: null };
    });
  }

  /** True when a sample of its kind may hold from the time of the command on. */
  #hasSample(id: number, command: Command): boolean {
    const current = this.#current.get(id)?.get(commandKinds.indexOf(command.kind));
    if (current === undefined) return false;
    return current.fromNs === null || validAfterOf(command) >= current.fromNs;
  }

  #isOutrankedBy(id: number, command: Command, stampNs: bigint): boolean {
    if (this.#options.simulatedTime) return false;
    const createNs = createStampOf(command);
    const keptNs = this.#keptCreateNs.get(id);
    return keptNs === undefined ? createNs > stampNs + longestFloorNs : createNs >= keptNs;
  }

  /** True for a command that waits for its time, and has no samples that outrank it then. */
  #waits(id: number, command: Command, stampNs: bigint): boolean {
    const validNs = validAfterOf(command);
    // In simulated time no time comes before the next start signal.
    if (this.#options.simulatedTime || validNs <= stampNs) return false;
    let ahead = this.#ahead.get(id);
    if (ahead === undefined) {
      ahead = new SamplesAhead(this.#options.emergencyStop, firstKeyOf(id));
      this.#ahead.set(id, ahead);
    }
    const current = this.#current.get(id)?.get(commandKinds.indexOf(command.kind));
    // Where none of its kind may hold yet, no sample outranks it with the next repetition.
    return ahead.commanded(validNs, stampNs, current?.fromNs === null);
  }

  /** Now on the clock of the stamps, ns. */
  #stampNs(): bigint {
    return this.#options.nowNs() + this.#stampOffsetNs;
  }

  /**
   * For an emergency stop that follows at once. In simulated time, which may run fast, the samples have kept their
   * stamps since they were made.
   */
  coverAll(): void {
    if (this.#options.simulatedTime) for (const id of this.#commanded) this.#uncovered.add(id);
    this.cover();
  }

  /** Makes the samples of the vehicles that have a command which is not covered. */
  cover(): void {
    const ids = [...this.#uncovered];
    this.#uncovered.clear();
    if (ids.length > 0) this.#renew(ids, this.#options.nowNs(), 'all');
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const id of waiting) this.#coverAhead(id, false);
  }

  #coverAhead(id: number, all: boolean): void {
    const current = this.#current.get(id);
    if (current !== undefined) this.#ahead.get(id)?.cover(current, this.#stampNs(), all);
  }

  /**
   * Makes the oldest samples anew when that is due, and those of the oldest places; after a stall all of them.
   * @param silentNs from the beat before to the one that follows this call, ns. Where that is long, also the samples
   *   that were made a moment ago are not right any more: they are for a hang that began with the beat before.
   */
  refresh(nowNs: bigint, silentNs = 0n): void {
    this.refreshPlaces(nowNs);
    const isLate = silentNs > refreshNs * BigInt(refreshParts);
    if (this.#commanded.size === 0 || (nowNs < this.#refreshAtNs && !isLate)) return;
    const parts = isLate ? Infinity : 1 + Number((nowNs - this.#refreshAtNs) / refreshNs);
    this.#refreshAtNs = nowNs + refreshNs;
    if (this.#aging.length === 0 || parts > refreshParts) this.#aging = [...this.#commanded];
    const count = Math.ceil((this.#commanded.size * parts) / refreshParts);
    const due = this.#aging.splice(0, Math.max(fewestRefreshed, count));
    // A create stamp that is kept is the same in all samples of a vehicle.
    const isWhole = (id: number) => this.#options.simulatedTime || this.#keptCreateNs.has(id);
    const whole = due.filter(isWhole);
    const others = due.filter((id) => !isWhole(id));
    if (whole.length > 0) this.#renew(whole, nowNs, 'all');
    if (others.length > 0) this.#renew(others, nowNs, 'others');
  }

  /** Makes the samples of the oldest places anew when that is due, in parts that fit the time since the last. */
  refreshPlaces(nowNs: bigint): void {
    const passedNs = nowNs - this.#placesAtNs;
    // In simulated time a vehicle stands while this program does.
    if (this.#options.simulatedTime || passedNs < shortestPartNs) return;
    this.#placesAtNs = nowNs;
    const ids = this.#withPlace;
    const passed = Math.min(1, Number(passedNs) / Number(renewalOf(ids.length)));
    const count = Math.ceil(ids.length * passed);
    if (count === 0) return;
    const from = this.#placesDone % ids.length;
    this.#placesDone = from + count;
    const due = [...ids.slice(from), ...ids.slice(0, from)].slice(0, count);
    this.#renew(due, nowNs, 'places');
  }

  /** Makes these samples of these vehicles anew. One that would not be right any more is removed. */
  #renew(ids: readonly number[], nowNs: bigint, part: PreparedStop['part']): void {
    const { emergencyStop, standStill } = this.#options;
    const former = ids.map((id) => this.#keys.get(id) ?? []);
    for (const [i, id] of ids.entries()) {
      const kept = (former[i] ?? []).filter((key) => !isOf(part, key));
      this.#keys.set(id, kept);
      if (part === 'all') this.#keptCreateNs.delete(id);
    }
    const longestAgeNs = longestPlaceAge(this.#withPlace.length);
    for (const still of standStill(nowNs, ids, { longestAgeNs, part })) {
      const { vehicle_id: id } = still.command.message;
      this.#stampOffsetNs = still.stampNs - nowNs;
      const keptNs = part === 'all' ? this.#createToKeep(still) : undefined;
      if (keptNs !== undefined) this.#keptCreateNs.set(id, keptNs);
      this.#keys.get(id)?.push(this.#set(still));
    }
    for (const [i, id] of ids.entries()) {
      const keys = this.#keys.get(id) ?? [];
      for (const key of former[i] ?? []) {
        if (keys.includes(key)) continue;
        emergencyStop.set(key, undefined);
        const current = this.#current.get(id);
        if (current?.get(rowOf(key))?.key === key) current.delete(rowOf(key));
      }
      this.#coverAhead(id, true);
    }
  }

  /** @returns the key of the sample. */
  #set(still: StandStill): number {
    const { ahead, fromNs, occasion } = still;
    const { emergencyStop, writerOf, simulatedTime } = this.#options;
    // All samples of a vehicle keep the same one, until all are made anew.
    const id = still.command.message.vehicle_id;
    const keptNs = this.#keptCreateNs.get(id) ?? this.#createToKeep(still);
    const { kind } = still.command;
    const row = occasion === 'afterHang' ? commandKinds.length : commandKinds.indexOf(kind);
    const key = firstKeyOf(id) + keysAhead + row * 2 + (ahead ? 0 : 1);
    const sample: EmergencySample = {
      writer: writerOf(kind),
      ...emergencySample(still, keptNs, simulatedTime),
      clockOffsetNs: this.#stampOffsetNs,
      occasion,
    };
    emergencyStop.set(key, sample);
    const current = this.#current.get(id) ?? new Map<number, Current>();
    // One of a kind that the vehicle has left holds from its writing on, but later, and outranks nothing ahead.
    if (ahead === (fromNs !== null)) {
      this.#current.set(id, current.set(row, { key, sample, fromNs }));
    } else if (!ahead) current.delete(row);
    return key;
  }

  /** The create stamp for samples that are to keep theirs, ns: later than those of the next commands. */
  #createToKeep(still: StandStill): bigint | undefined {
    return this.#options.simulatedTime ? undefined : createToKeep(still);
  }
}

function firstKeyOf(id: number): number {
  return 1 + id * keysPerVehicle;
}

/** The row of a sample, 0 to 4. */
function rowOf(key: number): number {
  return Math.floor((((key - 1) % keysPerVehicle) - keysAhead) / 2);
}

/** True when this part renews the sample of this key: `places` are trajectories, except those for after a hang. */
function isOf(part: PreparedStop['part'], key: number): boolean {
  return part === 'all' || (part === 'places') === (rowOf(key) === trajectoryRow);
}
