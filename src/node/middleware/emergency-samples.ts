import {
  createStampOf,
  stopSymbol,
  type Command,
  type ReportedVehicle,
  type StandStill,
} from '../../core/index.js';
import type { TransportWriter } from '../../ports/index.js';
import type { EmergencySample, EmergencyStop } from '../../dds/index.js';
import { commandStampOffsets, topics, trajectoryTimeOffset } from '../../messages/index.js';
import { commandTopics } from '../../sides/index.js';

/**
 * Every so often, ns, the samples of a part of the vehicles are made anew: of a quarter of them, and of
 * no fewer than this. All of them at once would hold up the commands of a large fleet.
 */
const refreshNs = 50_000_000n;
const refreshParts = 4;
const fewestRefreshed = 8;

/** Emergency samples are repeated like this, ns. */
export const emergencyRepeatNs = 50_000_000n;
export const emergencyDurationNs = 1_000_000_000n;

/** Before all commands: the controllers stop first. */
const stopTriggerKey = 0;
/** Two for each kind, and two for trajectories after a hang. */
const keysPerVehicle = 10;
const kinds: readonly Command['kind'][] = [
  'direct',
  'speedCurvature',
  'trajectory',
  'pathTracking',
];

export interface EmergencySamplesOptions {
  readonly emergencyStop: EmergencyStop;
  /** The commands that make these vehicles stand still, as of a monotonic instant, ns. */
  readonly standStill: (atNs: bigint, ids: readonly number[]) => readonly StandStill[];
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
  readonly #kinds = new Map<number, number>();
  /** Keys of the samples of each vehicle. */
  readonly #keys = new Map<number, number[]>();
  /** The create stamps that the samples of these vehicles keep, ns; the others get that of their writing. */
  readonly #keptCreateNs = new Map<number, bigint>();
  /** The clock of the stamps less the monotonic one at the last renewal, ns. */
  #stampOffsetNs = 0n;
  #refreshAtNs = 0n;
  /** The vehicles whose samples are made anew next, in this order; then it begins with the first one. */
  #aging: number[] = [];
  /** Vehicles with a command that their samples do not cover. */
  readonly #uncovered = new Set<number>();

  constructor(options: EmergencySamplesOptions) {
    this.#options = options;
    const bytes = topics.systemTrigger.codec.encode({ next_start: { nanoseconds: stopSymbol } });
    const { emergencyStop, triggers } = options;
    emergencyStop.set(stopTriggerKey, { writer: triggers, bytes, patches: [], floorNs: 0n });
  }

  /**
   * A command goes to a vehicle. The first of its kind, and one that would outrank the samples, is covered as
   * soon as the commands that came with it were handled: making the samples takes longer than forwarding all
   * of these.
   */
  commanded(command: Command): void {
    const { vehicle_id: id } = command.message;
    const bit = 1 << kinds.indexOf(command.kind);
    const known = this.#kinds.get(id) ?? 0;
    if ((known & bit) !== 0 && !this.#isOutrankedBy(id, createStampOf(command))) return;
    this.#kinds.set(id, known | bit);
    if (this.#uncovered.size === 0) queueMicrotask(() => this.cover());
    this.#uncovered.add(id);
  }

  /** Vehicles whose samples have create stamps that are ahead of now, for what follows these samples. */
  sentAhead(): ReportedVehicle[] {
    return [...this.#keptCreateNs].map(([id, newestCreateNs]) => {
      return { id, kinds: [], newestCreateNs, newestValidNs: 0n, obeyedUntilNs: null };
    });
  }

  #isOutrankedBy(id: number, createNs: bigint): boolean {
    if (this.#options.simulatedTime) return false;
    const keptNs = this.#keptCreateNs.get(id);
    if (keptNs !== undefined) return createNs >= keptNs;
    return createNs > this.#options.nowNs() + this.#stampOffsetNs + longestFloorNs;
  }

  /** Makes the samples of the vehicles that have a command which is not covered. */
  cover(): void {
    if (this.#uncovered.size === 0) return;
    const ids = [...this.#uncovered];
    this.#uncovered.clear();
    this.#renew(ids, this.#options.nowNs());
  }

  /** Makes the oldest samples anew when that is due. */
  refresh(nowNs: bigint): void {
    if (this.#kinds.size === 0 || nowNs < this.#refreshAtNs) return;
    this.#refreshAtNs = nowNs + refreshNs;
    if (this.#aging.length === 0) this.#aging = [...this.#kinds.keys()];
    const count = Math.max(fewestRefreshed, Math.ceil(this.#kinds.size / refreshParts));
    this.#renew(this.#aging.splice(0, count), nowNs);
  }

  /** Makes the samples of these vehicles anew. One that would not be right any more is removed. */
  #renew(ids: readonly number[], nowNs: bigint): void {
    const { emergencyStop, standStill } = this.#options;
    const former = new Set<number>();
    for (const id of ids) {
      for (const key of this.#keys.get(id) ?? []) former.add(key);
      this.#keys.set(id, []);
      this.#keptCreateNs.delete(id);
    }
    for (const still of standStill(nowNs, ids)) {
      this.#stampOffsetNs = still.stampNs - nowNs;
      const key = this.#set(still);
      former.delete(key);
      this.#keys.get(still.command.message.vehicle_id)?.push(key);
    }
    for (const key of former) emergencyStop.set(key, undefined);
  }

  /** @returns the key of the sample. */
  #set(still: StandStill): number {
    const { ahead, occasion, stampNs } = still;
    const { emergencyStop, writerOf, simulatedTime } = this.#options;
    const keepsCreate = !simulatedTime && createStampOf(still.command) > stampNs + longestFloorNs;
    const command = shortened(keepsCreate ? outranking(still.command) : still.command);
    const { kind, message } = command;
    if (keepsCreate) this.#keptCreateNs.set(message.vehicle_id, createStampOf(command));
    const row = occasion === 'afterHang' ? kinds.length : kinds.indexOf(kind);
    const place = row * 2 + (ahead ? 0 : 1);
    const key = 1 + message.vehicle_id * keysPerVehicle + place;
    const codec = commandTopics[kind].codec as { encode(value: object): Uint8Array };
    emergencyStop.set(key, {
      writer: writerOf(kind),
      bytes: codec.encode(message),
      occasion,
      ...(simulatedTime ? asItIs : patched(command, still, keepsCreate)),
    });
    return key;
  }
}

const asItIs: Pick<EmergencySample, 'patches' | 'floorNs'> = { patches: [], floorNs: 0n };

/** Points of a path that are kept: a vehicle that stands needs no more. */
const mostPathPoints = 100;

function shortened(command: Command): Command {
  if (command.kind !== 'pathTracking') return command;
  const path = command.message.path.slice(0, mostPathPoints);
  return { kind: 'pathTracking', message: { ...command.message, path } };
}

/** A create stamp ahead of now by more than this is kept: the clock that made it is wrong, ns. */
const longestFloorNs = 50_000_000n;

/** A create stamp that is kept outranks commands that are newer by less than this, ns. */
const outrankedNs = 500_000_000n;

/** The command with a create stamp that is later than those of the commands until it is made anew. */
function outranking(command: Command): Command {
  const { header } = command.message;
  const create_stamp = { nanoseconds: header.create_stamp.nanoseconds + outrankedNs };
  const message = { ...command.message, header: { ...header, create_stamp } };
  // Kind and message belong together; the compiler cannot see that through the union.
  return { kind: command.kind, message } as Command;
}

/** Where the time of the writing goes. */
function patched(
  { kind, message }: Command,
  { ahead, stampNs, keepsTimes }: StandStill,
  keepsCreate: boolean,
): Pick<EmergencySample, 'patches' | 'floorNs'> {
  const createNs = message.header.create_stamp.nanoseconds;
  const patches = [];
  if (!keepsCreate) patches.push({ offset: commandStampOffsets.create, deltaNs: 0n });
  if (!ahead) patches.push({ offset: commandStampOffsets.validAfter, deltaNs: 0n });
  if (kind === 'trajectory' && !keepsTimes) {
    for (const [i, { t }] of message.trajectory_points.entries()) {
      patches.push({ offset: trajectoryTimeOffset(i), deltaNs: t.nanoseconds - stampNs });
    }
  }
  return { patches, floorNs: keepsCreate ? 0n : createNs };
}
