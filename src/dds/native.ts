import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { DiscoveredQos, QosPolicies } from '../ports/index.js';
import { HlcError } from '../errors/index.js';
import { projectFolder } from './project-folder.js';

/** Handle of a DDS entity, as the library gives it. */
export type EntityHandle = number;

/** A participant that is known, as the library has it. */
interface NativeParticipant {
  /** 16 bytes. */
  readonly guid: Uint8Array;
  /** What it calls itself. */
  readonly name?: string;
  readonly processName?: string;
  /** A number, as text. */
  readonly pid?: string;
  readonly hostName?: string;
}

/** A reader or writer that is known. */
interface NativeEndpoint {
  /** 16 bytes; the first 12 are those of its participant. */
  readonly guid: Uint8Array;
  readonly topic: string;
  readonly typeName: string;
  readonly qos: DiscoveredQos;
}

/** What the kernel knows of the discipline of the wall clock (`adjtimex`, which is only read). */
export interface ClockState {
  /** A program such as chronyd, ntpd or ptp4l keeps it to a reference. */
  readonly synchronised: boolean;
  /** Upper bound of its error, ns, as that program says; grows while no program corrects it. */
  readonly maxErrorNs: bigint;
}

/** A domain that is open. */
export interface NativeDomain {
  readonly entity: EntityHandle;
  /** Addresses of the network interfaces that it uses. */
  readonly addresses: readonly string[];
}

export interface NativeDiscovery {
  readonly participants: readonly NativeParticipant[];
  readonly writers: readonly NativeEndpoint[];
  readonly readers: readonly NativeEndpoint[];
}

/** Number of a pacer; events of kinds that belong to pacers carry it as their entity. */
export type PacerId = number;

/** The functions of pacers (src/dds/native/pacer-functions.cc); see `Pacer` for what they do. */
export interface PacerBinding {
  createPacer(): PacerId;
  closePacer(pacer: PacerId): void;
  armPacer(pacer: PacerId, deadlineNs: bigint): void;
  disarmPacer(pacer: PacerId): void;
  /** @param times notBeforeNs, notAfterNs and value of the slot, everyNs and delayNs of the repeats */
  schedule(
    pacer: PacerId,
    writer: EntityHandle,
    sample: Uint8Array,
    patchOffset: number,
    times: BigInt64Array,
    plan: number,
    index: number,
    repeats: number,
  ): void;
  /** Of the last slot that was written; far below 0 before the first. */
  lastSlotIndex(pacer: PacerId): number;
  cancelSchedule(pacer: PacerId): void;
  /**
   * @param patches offset, deltaNs and isTime (0, 1) of each
   * @param occasion 0 always, 1 at once, 2 after a hang, 4 unless suspended
   */
  setEmergencySample(
    pacer: PacerId,
    key: number,
    writer: EntityHandle,
    sample: Uint8Array,
    patches: BigInt64Array,
    floorNs: bigint,
    clockOffsetNs: bigint,
    occasion: number,
  ): void;
  removeEmergencySample(pacer: PacerId, key: number): void;
  setEmergencyTime(pacer: PacerId, simulatedNs: bigint): void;
  /** The times are at most one day, and `repeatNs` is above 0. */
  setRamp(
    pacer: PacerId,
    key: number,
    writer: EntityHandle,
    sample: Uint8Array,
    patches: BigInt64Array,
    floorNs: bigint,
    clockOffsetNs: bigint,
    speedOffset: number,
    speedMps: number,
    brakingMps2: number,
    afterNs: bigint,
    repeatNs: bigint,
    restNs: bigint,
  ): void;
  removeRamp(pacer: PacerId, key: number): void;
  /**
   * @param places false: without the samples that name a place
   * @returns samples written
   */
  emergencyStop(pacer: PacerId, repeatNs: bigint, durationNs: bigint, places: boolean): number;
  armHangGuard(
    pacer: PacerId,
    afterNs: bigint,
    repeatNs: bigint,
    durationNs: bigint,
    watchOnly: boolean,
    guarded: boolean,
  ): void;
  beat(pacer: PacerId): void;
  /** What has happened since the last beat: a place in `stalls`. */
  stall(pacer: PacerId): number;
  /** From the begin of a hang until `hangSeen`: age of the last beat at its begin, ns. */
  unseenHang(pacer: PacerId): bigint | undefined;
  /**
   * The last hang was seen: `schedule` is obeyed again.
   * @returns whether the samples for a hang were written in it.
   */
  hangSeen(pacer: PacerId): boolean;
  /** @param patches offset, deltaNs and isTime (0, 1) of each */
  setBeacon(
    pacer: PacerId,
    intervalNs: bigint,
    writer: EntityHandle,
    sample: Uint8Array,
    patches: BigInt64Array,
    floorNs: bigint,
    clockOffsetNs: bigint,
  ): void;
  removeBeacon(pacer: PacerId): void;
  /** @param socketName value of NOTIFY_SOCKET */
  feedWatchdog(pacer: PacerId, socketName: string, intervalNs: bigint): void;
}

/**
 * What the add-on (src/dds/native/addon.cc) exports. It knows bytes, handles, QoS values and
 * events; a refusal of the library is an `Error` with the library's text for it.
 */
export interface NativeBinding extends PacerBinding {
  readonly cycloneVersion: string;
  /**
   * Opens the one context of this JavaScript environment.
   * @param deliver called with the newest batch of events, see event-batch.ts
   * @param queueBytes samples wait in their readers' caches when this much is undelivered
   * @param traceDiscovery what the trace of discovery says about participants that cannot be
   *   answered is delivered as a log event; the trace then goes nowhere else
   */
  open(
    deliver: (batch: ArrayBuffer, byteLength: number) => void,
    queueBytes: number,
    traceDiscovery?: boolean,
  ): void;
  /** Closes all that is open; no event follows. */
  close(): void;
  /** @param thisMachineOnly the kernel drops what comes from or goes to other machines */
  createDomain(domainId: number, config: string, thisMachineOnly: boolean): NativeDomain;
  /** @param name what others see as its name */
  createParticipant(domainId: number, qos: QosPolicies, name?: string): EntityHandle;
  createTopic(participant: EntityHandle, typeName: string, topicName: string): EntityHandle;
  createReader(
    participant: EntityHandle,
    topic: EntityHandle,
    qos: QosPolicies,
    ignoreReliableWriters: boolean,
    ignoreOwnWriters: boolean,
    maxSampleBytes: number,
  ): EntityHandle;
  createWriter(participant: EntityHandle, topic: EntityHandle, qos: QosPolicies): EntityHandle;
  closeEntity(entity: EntityHandle): void;
  /** @param soon while events are handled, it may wait for others to be sent with them */
  write(writer: EntityHandle, cdr: Uint8Array, soon: boolean): void;
  /** GUID prefixes, 24 hex digits each. */
  matchedParticipants(writer: EntityHandle): string[];
  /** What is known now of the domain of this participant, also what this process has there. */
  discovered(participant: EntityHandle): NativeDiscovery;
  stalls(reader: EntityHandle): number;
  /** 16 bytes. */
  guid(entity: EntityHandle): Uint8Array;
  /** @returns what the system says when it refuses. */
  makeRealtime(priority: number): string | undefined;
  /** @param threads 0: all; 1: the pacers and those that receive samples; 2: the workers of this thread. */
  shareCores(threads: 0 | 1 | 2, batch: boolean, niceness: number, sliceUs: number): void;
  /** What the system refuses stays as it is. */
  lockFiles(): void;
  /** @returns what the system says when it refuses. */
  notifyServiceManager(socketName: string, message: string): string | undefined;
  exitNow(code: number): never;
  monotonicNs(): bigint;
  realtimeNs(): bigint;
  clockState(): ClockState;
}

/** `HLC_NATIVE_ADDON` names another build of the add-on, as test/asan does; an absolute path. */
const addonPath =
  process.env.HLC_NATIVE_ADDON ??
  fileURLToPath(new URL('build/native/hlc_dds.node', projectFolder));

/** @throws HlcError `HLC_NATIVE_MISSING` when the add-on was not built, or not for this machine. */
export function loadNative(): NativeBinding {
  try {
    return createRequire(import.meta.url)(addonPath) as NativeBinding;
  } catch (cause) {
    throw new HlcError(
      'HLC_NATIVE_MISSING',
      { path: addonPath, cause: (cause as Error).message.split('\n')[0] ?? '' },
      { cause },
    );
  }
}

/**
 * Ends this process at once (`_exit`): Node resets no terminal and flushes no stream, and DDS does
 * not sign off. For a process that must not fail at its end: on a terminal that is gone, Node's
 * own end is a crash.
 * @param code exit code, 0 to 255
 * @throws HlcError `HLC_NATIVE_MISSING` when the add-on cannot be loaded.
 */
export function exitNow(code: number): never {
  return loadNative().exitNow(code);
}
