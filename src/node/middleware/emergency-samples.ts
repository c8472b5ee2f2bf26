import { stopSymbol, type Command, type StandStill } from '../../core/index.js';
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
  #refreshAtNs = 0n;
  /** The vehicles whose samples are made anew next, in this order; then it begins with the first one. */
  #aging: number[] = [];
  /** Vehicles with a kind of command that is not covered yet. */
  readonly #uncovered = new Set<number>();

  constructor(options: EmergencySamplesOptions) {
    this.#options = options;
    const bytes = topics.systemTrigger.codec.encode({ next_start: { nanoseconds: stopSymbol } });
    const { emergencyStop, triggers } = options;
    emergencyStop.set(stopTriggerKey, { writer: triggers, bytes, patches: [], floorNs: 0n });
  }

  /**
   * A command goes to a vehicle. The first of its kind is covered as soon as the commands that came with
   * it were handled: making the samples takes longer than forwarding all of these.
   */
  commanded({ kind, message }: Command): void {
    const bit = 1 << kinds.indexOf(kind);
    const known = this.#kinds.get(message.vehicle_id) ?? 0;
    if ((known & bit) !== 0) return;
    this.#kinds.set(message.vehicle_id, known | bit);
    if (this.#uncovered.size === 0) queueMicrotask(() => this.cover());
    this.#uncovered.add(message.vehicle_id);
  }

  /** Makes the samples of the vehicles that have a kind of command which is not covered yet. */
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
    }
    for (const still of standStill(nowNs, ids)) {
      const key = this.#set(still);
      former.delete(key);
      this.#keys.get(still.command.message.vehicle_id)?.push(key);
    }
    for (const key of former) emergencyStop.set(key, undefined);
  }

  /** @returns the key of the sample. */
  #set(still: StandStill): number {
    const { ahead, occasion } = still;
    const command = shortened(still.command);
    const { emergencyStop, writerOf, simulatedTime } = this.#options;
    const { kind, message } = command;
    const row = occasion === 'afterHang' ? kinds.length : kinds.indexOf(kind);
    const place = row * 2 + (ahead ? 0 : 1);
    const key = 1 + message.vehicle_id * keysPerVehicle + place;
    const codec = commandTopics[kind].codec as { encode(value: object): Uint8Array };
    emergencyStop.set(key, {
      writer: writerOf(kind),
      bytes: codec.encode(message),
      occasion,
      ...(simulatedTime ? asItIs : patched(command, still)),
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

/** Where the time of the writing goes. */
function patched(
  { kind, message }: Command,
  { ahead, stampNs, keepsTimes }: StandStill,
): Pick<EmergencySample, 'patches' | 'floorNs'> {
  const createNs = message.header.create_stamp.nanoseconds;
  const keepsCreate = createNs > stampNs + longestFloorNs;
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
