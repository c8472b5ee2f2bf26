import { HlcError } from '../errors/index.js';
import type { QosPolicies } from '../ports/index.js';
import { domainConfig, namesTracing, type DomainNetwork } from './domain-config.js';
import type { Endpoint } from './endpoints.js';
import { EventBatch, EventKind } from './event-batch.js';
import {
  LibraryReports,
  type LibraryReportsOptions,
  type ReportedDomain,
} from './library-reports.js';
import { NativePacer } from './native-pacer.js';
import {
  loadNative,
  type ClockState,
  type EntityHandle,
  type NativeBinding,
  type PacerId,
} from './native.js';
import { interfaceWith } from './network-interfaces.js';
import type { Pacer } from './pacer.js';
import { DdsParticipant, type ParticipantOwner } from './participant.js';
import { highestDomainId } from './rtps-ports.js';
import { WriterIdentities } from './writer-identities.js';

export interface DdsContextOptions extends LibraryReportsOptions {
  /** A listener threw; the other listeners go on. What this throws is an uncaught exception. */
  readonly onFault: (fault: unknown) => void;
  /**
   * Bytes of undelivered events beyond which samples wait in their readers' caches, where history
   * and resource limits apply. Default 16 MiB.
   */
  readonly queueBytes?: number;
  /** Value of `CYCLONEDDS_URI`. Default: that of the process. */
  readonly cycloneUri?: string;
}

/** Clocks of this machine, read without loss. */
export interface Clocks {
  /** Steady time, ns. */
  monotonicNs(): bigint;
  /** Time since 1970, ns. */
  realtimeNs(): bigint;
}

const defaultQueueBytes = 16 * 1024 * 1024;

interface OpenDomain extends ReportedDomain {
  readonly entity: EntityHandle;
  readonly participants: Set<DdsParticipant>;
}

/**
 * All of DDS in this process: its participants, its pacers and the delivery of their events to
 * listeners, in the order in which they happened. A process has one at a time.
 */
export class DdsContext {
  readonly clocks: Clocks;
  readonly #native: NativeBinding;
  readonly #options: DdsContextOptions;
  readonly #endpoints = new Map<EntityHandle, Endpoint>();
  readonly #pacers = new Map<PacerId, NativePacer>();
  readonly #domains = new Map<number, OpenDomain>();
  readonly #writers = new WriterIdentities();
  readonly #reports: LibraryReports;
  readonly #owner: ParticipantOwner;
  #realtimePriority: number | undefined;
  #closed = false;
  /** The events that are being handled. */
  #handled: EventBatch | undefined;

  private constructor(native: NativeBinding, options: DdsContextOptions) {
    this.#native = native;
    this.#options = options;
    // The same clock as that of the add-on, and half the time of a call to it.
    this.clocks = {
      monotonicNs: () => process.hrtime.bigint(),
      realtimeNs: () => native.realtimeNs(),
    };
    this.#reports = new LibraryReports(this.#domains, options);
    this.#owner = {
      native,
      remember: (entity, endpoint) => void this.#endpoints.set(entity, endpoint),
      forget: (entity) => void this.#endpoints.delete(entity),
      writerIdentity: (event) => this.#writers.of(event),
      release: (participant) => this.#release(participant),
      othersFollow: () => this.#handled?.hasNext === true,
    };
  }

  /**
   * @throws HlcError `HLC_NATIVE_MISSING` when the add-on cannot be loaded.
   * @throws Error when a context of this process is open.
   */
  static open(options: DdsContextOptions): DdsContext {
    const native = loadNative();
    const context = new DdsContext(native, options);
    native.open(
      (batch, byteLength) => context.#deliver(new EventBatch(batch, byteLength)),
      options.queueBytes ?? defaultQueueBytes,
      !namesTracing(context.#cycloneUri),
    );
    return context;
  }

  /** Version of the Cyclone DDS that the add-on was built with. */
  get cycloneVersion(): string {
    return this.#native.cycloneVersion;
  }

  /** What the kernel knows of the discipline of the wall clock. */
  clockState(): ClockState {
    return this.#native.clockState();
  }

  /**
   * A pacer with a thread of its own; it is closed with this context at the latest.
   * @throws HlcError `HLC_CLOSED` after `close`, `HLC_REALTIME_PRIORITY` as `makeRealtime` does.
   */
  createPacer(): Pacer {
    const native = this.#openNative();
    const id = native.createPacer();
    const pacer = new NativePacer(native, id, () => this.#pacers.delete(id));
    this.#pacers.set(id, pacer);
    if (this.#realtimePriority !== undefined) this.makeRealtime(this.#realtimePriority);
    return pacer;
  }

  /**
   * Puts this thread, the pacers and the threads that receive samples under real-time scheduling
   * (SCHED_FIFO), and keeps the memory of this process from being paged out. Open all domains first;
   * pacers that are made later are included.
   * @param priority 1 to 99; that of the pacers, the others have one less
   * @throws HlcError `HLC_REALTIME_PRIORITY` when the system does not allow it.
   */
  makeRealtime(priority: number): void {
    const cause = this.#openNative().makeRealtime(priority);
    if (cause !== undefined) throw new HlcError('HLC_REALTIME_PRIORITY', { priority, cause });
    this.#realtimePriority = priority;
  }

  /**
   * Joins a domain. The first participant of a domain decides how the domain uses the network.
   * @param name what others see as the name of the participant, up to 255 bytes.
   * @throws HlcError `HLC_DDS_DOMAIN` when the domain or the interface cannot be opened.
   */
  join(network: DomainNetwork, qos: QosPolicies = {}, name?: string): DdsParticipant {
    this.#openNative();
    try {
      if (!(network.domainId >= 0 && network.domainId <= highestDomainId)) {
        throw new RangeError(`a domain id is a number from 0 to ${highestDomainId}`);
      }
      const domain = this.#domain(network);
      const entity = this.#native.createParticipant(network.domainId, qos, name);
      const { domainId } = network;
      const participant = new DdsParticipant(this.#owner, entity, domainId, domain.state);
      domain.participants.add(participant);
      return participant;
    } catch (cause) {
      const { domainId, networkInterface } = network;
      this.#closeDomainIfUnused(domainId);
      throw new HlcError(
        'HLC_DDS_DOMAIN',
        { domainId, networkInterface, cause: (cause as Error).message },
        { cause },
      );
    }
  }

  /**
   * Joins a domain that another library may have opened in this process, whose settings then hold.
   * The caller closes the participant before this context.
   * @param config text for `dds_create_domain`, where the domain is not open yet.
   * @throws Error when there can be no participant.
   */
  joinBeside(
    domainId: number,
    config: string,
    qos: QosPolicies = {},
    name?: string,
  ): DdsParticipant {
    const native = this.#openNative();
    const domain = this.#createUnlessOpen(domainId, config);
    const entity = native.createParticipant(domainId, qos, name);
    const state = domain?.state ?? {
      interfaces: [],
      thisMachineOnly: false,
      unanswered: new Map(),
    };
    const participant = new DdsParticipant(this.#owner, entity, domainId, state);
    domain?.participants.add(participant);
    return participant;
  }

  /** Names of the network interfaces that a domain uses; none for a domain that is not open. */
  interfacesOf(domainId: number): readonly string[] {
    return this.#domains.get(domainId)?.state.interfaces ?? [];
  }

  /** Closes everything that is open here; no listener is called after it. Twice is allowed. */
  close(): void {
    if (this.#closed) return;
    for (const pacer of this.#pacers.values()) pacer.close();
    for (const domain of this.#domains.values()) {
      for (const participant of domain.participants) participant.close();
    }
    this.#closed = true;
    this.#native.close();
  }

  /** @throws HlcError `HLC_CLOSED` after `close`. */
  #openNative(): NativeBinding {
    if (this.#closed) throw new HlcError('HLC_CLOSED', { what: 'DDS context' });
    return this.#native;
  }

  #domain(network: DomainNetwork): OpenDomain {
    const open = this.#domains.get(network.domainId);
    if (open !== undefined) return open;
    const { xml, thisMachineOnly } = domainConfig(network, this.#cycloneUri);
    return this.#createDomain(network.domainId, xml, thisMachineOnly);
  }

  #createDomain(domainId: number, xml: string, thisMachineOnly: boolean): OpenDomain {
    const { entity, addresses } = this.#native.createDomain(domainId, xml, thisMachineOnly);
    const interfaces = addresses.map((address) => interfaceWith(address) ?? address);
    const state = { interfaces, thisMachineOnly, unanswered: new Map<string, string>() };
    const domain: OpenDomain = { entity, participants: new Set(), state };
    this.#domains.set(domainId, domain);
    return domain;
  }

  /** Undefined when this process has the domain open already. */
  #createUnlessOpen(domainId: number, config: string): OpenDomain | undefined {
    try {
      return this.#createDomain(domainId, config, false);
    } catch {
      return undefined;
    }
  }

  get #cycloneUri(): string | undefined {
    return this.#options.cycloneUri ?? process.env.CYCLONEDDS_URI;
  }

  #release(participant: DdsParticipant): void {
    this.#domains.get(participant.domainId)?.participants.delete(participant);
    this.#closeDomainIfUnused(participant.domainId);
  }

  #closeDomainIfUnused(domainId: number): void {
    const domain = this.#domains.get(domainId);
    if (domain === undefined || domain.participants.size > 0) return;
    this.#domains.delete(domainId);
    this.#native.closeEntity(domain.entity);
  }

  #deliver(event: EventBatch): void {
    this.#handled = event;
    while (!this.#closed && event.next()) {
      try {
        this.#dispatch(event);
      } catch (fault) {
        this.#reportFault(fault);
      }
    }
    this.#handled = undefined;
  }

  /** What `onFault` throws is uncaught; thrown from here it would be lost in the add-on. */
  #reportFault(fault: unknown): void {
    try {
      this.#options.onFault(fault);
    } catch (second) {
      queueMicrotask(() => {
        throw second;
      });
    }
  }

  #dispatch(event: EventBatch): void {
    switch (event.kind) {
      case EventKind.tick:
      case EventKind.slotSent:
      case EventKind.sentByHang:
        this.#pacers.get(event.entity)?.dispatch(event);
        break;
      case EventKind.log:
        this.#reports.take(Buffer.from(event.payload).toString('utf8').trimEnd(), Number(event.b));
        break;
      default:
        this.#endpoints.get(event.entity)?.dispatch(event);
    }
  }
}
