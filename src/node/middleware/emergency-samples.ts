import {
  commandKinds,
  createStampOf,
  later,
  stopSymbol,
  validAfterOf,
  type Command,
  type PreparedStop,
  type StandStill,
  type StoppedVehicle,
} from '../../core/index.js';
import type { TransportWriter } from '../../ports/index.js';
import type { EmergencySample, EmergencyStop } from '../../dds/index.js';
import { topics } from '../../messages/index.js';
import { createAhead, createToKeep, emergencySample, longestFloorNs } from './emergency-sample.js';
import { keysAhead, type SampleAhead, SamplesAhead } from './samples-ahead.js';

/** From one renewal of samples to the next, ns; each renews a part of the vehicles. */
const refreshNs = 50_000_000n;
/** Number of parts at most: all vehicles at once would hold up the commands of a large fleet. */
const refreshParts = 4;
/** Vehicles of a part at least. */
const fewestRefreshed = 8;
/** In this time the samples of all vehicles are made anew, ns. */
const renewalNs = refreshNs * BigInt(refreshParts);
/** `refresh` is called at least this often, ns. */
export const refreshEveryNs = 20_000_000n;

/**
 * By a prepared sample, a vehicle with a plan brakes from this much later on, ns. In a small fleet the sample is made
 * anew before that instant; in a large one after it, but prepared samples are sent only where new ones cannot be made.
 * With a later instant a stop would begin later.
 */
export const preparedForNs = 80_000_000n;

/** From one repetition of the emergency samples to the next, ns. */
export const emergencyRepeatNs = 50_000_000n;
/** No repetition begins later than this after the first, ns. */
export const emergencyDurationNs = 1_000_000_000n;

/** By so much the repetitions raise the stamps at most, ns: each by 1, with a margin. */
const raisedNs = 2n * (emergencyDurationNs / emergencyRepeatNs);

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

/** Stamps, and the time on their clock when they were made, ns. */
interface KeptStamps {
  readonly createNs: bigint;
  readonly validNs: bigint;
  readonly asOfNs: bigint;
}

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
  /** True: the time goes on by `timeIs`, not by the clocks. */
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
  /** The stamps that the samples of these vehicles keep; the others get that of their writing. */
  readonly #kept = new Map<number, KeptStamps>();
  /** The simulated time, ns; undefined in real time. */
  #simulatedNs: bigint | undefined;
  /** The clock of the stamps less the monotonic one at the last renewal, ns. */
  #stampOffsetNs = 0n;
  #refreshAtNs: bigint;
  /** The vehicles whose samples are made anew next, in this order; then it begins with the first one. */
  #aging: number[] = [];
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

  /** The simulated time goes on to this, ns: the stamps of all samples go on with it. */
  timeIs(simulatedNs: bigint): void {
    this.#simulatedNs = simulatedNs;
    this.#options.emergencyStop.setTime(simulatedNs);
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
  sentAhead(): StoppedVehicle[] {
    return [...this.#kept].map(([id, kept]) => {
      const { createNs, validNs } = this.#movedOn(kept);
      const isSimulated = this.#simulatedNs !== undefined;
      return {
        id,
        kinds: [],
        newestCreateNs: isSimulated ? createNs + raisedNs : createNs,
        // In real time that is a time of the writing, which the session knows.
        newestValidNs: isSimulated ? validNs + raisedNs : 0n,
        obeyedUntilNs: null,
        speedMps: 0,
      };
    });
  }

  /** True when a sample of its kind may hold from the time of the command on. */
  #hasSample(id: number, command: Command): boolean {
    const current = this.#current.get(id)?.get(commandKinds.indexOf(command.kind));
    if (current === undefined) return false;
    return current.fromNs === null || validAfterOf(command) >= current.fromNs;
  }

  #isOutrankedBy(id: number, command: Command, stampNs: bigint): boolean {
    const createNs = createStampOf(command);
    const kept = this.#kept.get(id);
    if (kept !== undefined) {
      const stamps = this.#movedOn(kept);
      const isLater = this.#options.simulatedTime && validAfterOf(command) > stamps.validNs;
      return isLater || createNs >= stamps.createNs;
    }
    return !this.#options.simulatedTime && createNs > stampNs + longestFloorNs;
  }

  #keeps(id: number, createNs: bigint, still: StandStill): void {
    // Some hold at once, and some from a later time on: together they outrank up to the last.
    const validNs = later(this.#kept.get(id)?.validNs ?? 0n, validAfterOf(still.command));
    this.#kept.set(id, { createNs, validNs, asOfNs: still.stampNs });
  }

  /** What these stamps are when they are written now: in simulated time they go on with that. */
  #movedOn({ createNs, validNs, asOfNs }: KeptStamps): Omit<KeptStamps, 'asOfNs'> {
    const onNs = later((this.#simulatedNs ?? asOfNs) - asOfNs, 0n);
    return { createNs: createNs + onNs, validNs: validNs + onNs };
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
   * Makes the samples of all vehicles anew, for an emergency stop that follows at once. A vehicle for which that
   * fails keeps those that it has: the rules may be what is broken.
   */
  coverAll(): void {
    const nowNs = this.#options.nowNs();
    for (const id of this.#commanded) {
      try {
        this.#renew([id], nowNs, 0n);
      } catch {
        // The others are still to be made.
      }
    }
  }

  /** Makes the samples of the vehicles that have a command which is not covered. */
  cover(): void {
    const ids = [...this.#uncovered];
    this.#uncovered.clear();
    if (ids.length > 0) this.#renew(ids, this.#options.nowNs(), preparedForNs);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const id of waiting) this.#coverAhead(id, false);
  }

  #coverAhead(id: number, all: boolean): void {
    const current = this.#current.get(id);
    if (current !== undefined) this.#ahead.get(id)?.cover(current, this.#stampNs(), all);
  }

  /**
   * Makes the oldest samples anew when that is due; after a stall all of them.
   * @param silentNs from the beat before to the one that follows this call, ns. Where that is long, also the samples
   *   that were made a moment ago are not right any more: they are for a hang that began with the beat before.
   */
  refresh(nowNs: bigint, silentNs = 0n): void {
    const isLate = silentNs > renewalNs;
    if (this.#commanded.size === 0 || (nowNs < this.#refreshAtNs && !isLate)) return;
    const parts = 1 + Number((nowNs - this.#refreshAtNs) / refreshNs);
    const isWhole = isLate || parts > refreshParts;
    this.#refreshAtNs = isWhole ? nowNs + refreshNs : this.#refreshAtNs + BigInt(parts) * refreshNs;
    if (this.#aging.length === 0 || isWhole) this.#aging = [...this.#commanded];
    const share = isWhole ? 1 : parts / refreshParts;
    const count = Math.ceil(this.#commanded.size * share);
    const due = this.#aging.splice(0, Math.max(fewestRefreshed, count));
    this.#renew(due, nowNs, preparedForNs);
  }

  /**
   * Makes the samples of these vehicles anew. One that would not be right any more is removed.
   * @param brakesAfterNs as in {@link PreparedStop}
   */
  #renew(ids: readonly number[], nowNs: bigint, brakesAfterNs: bigint): void {
    const { emergencyStop, standStill } = this.#options;
    const stills = standStill(nowNs, ids, { brakesAfterNs });
    const former = ids.map((id) => this.#keys.get(id) ?? []);
    for (const id of ids) {
      this.#keys.set(id, []);
      this.#kept.delete(id);
    }
    for (const still of stills) {
      const { vehicle_id: id } = still.command.message;
      this.#stampOffsetNs = still.stampNs - nowNs;
      const keptNs = this.#createToKeep(still, brakesAfterNs > 0n);
      if (keptNs !== undefined) this.#keeps(id, keptNs, still);
      this.#keys.get(id)?.push(this.#set(still, keptNs, nowNs));
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
  #set(still: StandStill, keptNs: bigint | undefined, nowNs: bigint): number {
    const { ahead, fromNs, occasion } = still;
    const { emergencyStop, writerOf, simulatedTime } = this.#options;
    const id = still.command.message.vehicle_id;
    const { kind } = still.command;
    const row = occasion === 'afterHang' ? commandKinds.length : commandKinds.indexOf(kind);
    const key = firstKeyOf(id) + keysAhead + row * 2 + (ahead ? 0 : 1);
    const sample: EmergencySample = {
      writer: writerOf(kind),
      ...emergencySample(still, keptNs, simulatedTime ? null : nowNs),
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

  /**
   * The create stamp for samples that are to keep theirs, ns: later than those of the next commands. In simulated
   * time all prepared ones are: the stamps of the commands need not go on with that time.
   */
  #createToKeep(still: StandStill, isPrepared: boolean): bigint | undefined {
    if (!this.#options.simulatedTime) return createToKeep(still);
    return isPrepared ? createAhead(still) : undefined;
  }
}

function firstKeyOf(id: number): number {
  return 1 + id * keysPerVehicle;
}

/** The row of a sample, 0 to 4. */
function rowOf(key: number): number {
  return Math.floor((((key - 1) % keysPerVehicle) - keysAhead) / 2);
}
