import { HlcError, isHlcError } from '../../errors/index.js';
import {
  participantOf,
  type QosPolicies,
  type ReceivedSample,
  type TransportWriter,
} from '../../ports/index.js';
import { CdrError } from '../../messages/index.js';
import type { DdsSide } from './dds-side.js';
import {
  decodeParticipantEntities,
  discoveryTopic,
  discoveryTypeHash,
  encodeParticipantEntities,
} from './participant-entities.js';
import { fullNodeName, type RosNode } from '../ros-names.js';

/** As in rmw_dds_common: a late joiner receives the last announcement of each participant. */
const announced: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'transient-local' },
  durabilityService: { history: { kind: 'keep-last', depth: 1 } },
  history: { kind: 'keep-last', depth: 1 },
  writerDataLifecycle: { autodisposeUnregisteredInstances: false },
  userData: typeHashData(discoveryTypeHash),
};
const received: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'transient-local' },
  history: { kind: 'keep-all' },
  userData: typeHashData(discoveryTypeHash),
};

/** What the announcement of a node cannot do, or finds out. */
export type OnRosError = (error: HlcError) => void;

/**
 * Announces this node with its readers and writers to the participants of ROS 2, and detects another
 * node with the same name.
 */
export class NodeAnnouncement {
  readonly #writer: TransportWriter;
  readonly #readers = new Set<string>();
  readonly #writers = new Set<string>();
  /** GUID prefixes of other participants whose writer announced a node with our name. */
  readonly #namesakes = new Set<string>();
  #changed = false;
  #closed = false;

  constructor(
    private readonly side: DdsSide,
    private readonly node: RosNode,
    private readonly onError: OnRosError,
  ) {
    this.#writer = side.createWriter(discoveryTopic, announced);
    side.createReader(discoveryTopic, received, {
      onSample: (sample) => this.#onAnnouncement(sample),
      onMatched: (_, { writer, joined }) => {
        if (!joined) this.#namesakes.delete(participantOf(writer.guid));
      },
    });
    this.#announceSoon();
  }

  /** @param guid of a new reader of the node, 32 hex digits */
  addReader(guid: string): void {
    this.#readers.add(guid);
    this.#announceSoon();
  }

  addWriter(guid: string): void {
    this.#writers.add(guid);
    this.#announceSoon();
  }

  removeReader(guid: string): void {
    if (this.#readers.delete(guid)) this.#announceSoon();
  }

  removeWriter(guid: string): void {
    if (this.#writers.delete(guid)) this.#announceSoon();
  }

  /** Ends announcements and detection; the readers and writers belong to the side. */
  close(): void {
    this.#closed = true;
  }

  /** Endpoints are made many at a time: one sample announces all. */
  #announceSoon(): void {
    if (this.#changed) return;
    this.#changed = true;
    queueMicrotask(() => {
      this.#changed = false;
      if (!this.#closed) this.#announce();
    });
  }

  #announce(): void {
    const nodes = [{ ...this.node, readers: [...this.#readers], writers: [...this.#writers] }];
    const sample = encodeParticipantEntities({ participant: this.side.guid, nodes });
    try {
      this.#writer.write(sample);
    } catch (error) {
      if (!isHlcError(error)) throw error;
      this.onError(error);
    }
  }

  #onAnnouncement({ bytes, writer }: ReceivedSample): void {
    let entities;
    try {
      entities = decodeParticipantEntities(bytes);
    } catch (error) {
      // Not ours to judge: ROS 2 before Iron has longer GUIDs here.
      if (error instanceof CdrError) return;
      throw error;
    }
    const { participant, nodes } = entities;
    // Not what it says of itself: one writer could name any number of participants.
    const prefix = participantOf(writer.guid);
    if (participant === this.side.guid || this.#namesakes.has(prefix)) return;
    const name = fullNodeName(this.node);
    if (!nodes.some((node) => fullNodeName(node) === name)) return;
    this.#namesakes.add(prefix);
    this.onError(new HlcError('HLC_ROS_NODE_TWICE', { node: name, participant }));
  }
}

/** User data of a reader or a writer from which ROS 2 reads the hash of its type. */
export function typeHashData(hash: string): Uint8Array {
  return new TextEncoder().encode(`typehash=${hash};`);
}

/** User data of a participant that has nodes: the enclave of security, which is the root here. */
export const participantData = new TextEncoder().encode('enclave=/;');
