import { maxVehicleId } from '../../core/index.js';
import type {
  DiscoveredDomain,
  QosPolicies,
  ReaderListener,
  ReaderOptions,
  SendOrder,
  TopicSpec,
  Transport,
  TransportReader,
  TransportWriter,
  WriterListener,
} from '../../ports/index.js';
import type { RosTopics } from '../face/topics.js';
import type { DdsSide, Identified } from './dds-side.js';
import { faceTopics } from './face-topics.js';
import { withIdlNames } from './idl-topic-names.js';
import { keylessQos } from './keyless-qos.js';
import { NodeAnnouncement, type OnRosError, typeHashData } from './node-announcement.js';
import { rosTypeOf, wireTopicName, type TopicNames } from '../ros-names.js';

/** How a side looks to ROS 2. */
export interface RosNaming extends TopicNames {
  /**
   * How many vehicles this side may write about, at least 1: the depth of a writer's history counts
   * for each of them.
   */
  readonly writtenVehicles: number;
  readonly onError: OnRosError;
  /** False: this side is not in the graph of ROS 2; it reads for a node that is. Default: true. */
  readonly announced?: boolean;
  /** Wall clock, ns since 1970. */
  readonly nowNs: () => bigint;
}

/** Vehicle ids are octets; a history of a reader must have room for all. */
const everyVehicle = maxVehicleId + 1;

/**
 * A side of plain DDS that looks to ROS 2 as a node: topics and types have the names of ROS 2, and no
 * keys. Callers go on naming topics as the wire contract in `idl/` does.
 */
export class RosNamedTransport implements Transport {
  readonly knowsWriters = true;
  readonly #announcement: NodeAnnouncement | undefined;

  /** @param dds made with `participantData` as its user data */
  constructor(
    private readonly dds: DdsSide,
    private readonly naming: RosNaming,
  ) {
    if (naming.announced === false) return;
    this.#announcement = new NodeAnnouncement(dds, naming.node, naming.onError);
  }

  createWriter(topic: TopicSpec, qos: QosPolicies, listener?: WriterListener): TransportWriter {
    const own = this.#qosFor(topic, qos, this.naming.writtenVehicles);
    const lifecycle = { autodisposeUnregisteredInstances: false };
    const writerQos = { ...own, writerDataLifecycle: lifecycle };
    const writer = this.dds.createWriter(this.#onTheWire(topic), writerQos, listener);
    this.#announcement?.addWriter(writer.guid);
    return new RosNamedWriter(writer, topic, () => this.#announcement?.removeWriter(writer.guid));
  }

  createReader(
    topic: TopicSpec,
    qos: QosPolicies,
    listener: ReaderListener,
    options?: ReaderOptions,
  ): TransportReader {
    const own = this.#qosFor(topic, qos, everyVehicle);
    const reader = this.dds.createReader(this.#onTheWire(topic), own, listener, options);
    this.#announcement?.addReader(reader.guid);
    return new RosNamedReader(reader, topic, () => this.#announcement?.removeReader(reader.guid));
  }

  /** For what the node publishes beside the topics of the transport. */
  get topics(): RosTopics {
    const { node, nowNs, onError } = this.naming;
    const onWriter = (guid: string) => this.#announcement?.addWriter(guid);
    return faceTopics(this.dds, { node, nowNs, onError, onWriter });
  }

  /** Who is on the domain, with topics and types as in `idl/`. */
  discovered(): DiscoveredDomain {
    return withIdlNames(this.dds.discovered(), this.naming);
  }

  close(): void {
    this.#announcement?.close();
    this.dds.close();
  }

  #onTheWire(topic: TopicSpec): TopicSpec {
    const name = wireTopicName(topic.name, this.naming);
    return { name, typeName: rosTypeOf(topic).wireName };
  }

  #qosFor(topic: TopicSpec, qos: QosPolicies, instances: number): QosPolicies {
    const { hash, keyedInIdl } = rosTypeOf(topic);
    const userData = Buffer.concat([typeHashData(hash), qos.userData ?? new Uint8Array()]);
    return { ...(keyedInIdl ? keylessQos(qos, instances) : qos), userData };
  }
}

class RosNamedWriter implements TransportWriter {
  constructor(
    private readonly writer: TransportWriter & Identified,
    readonly topic: TopicSpec,
    private readonly onClosed: () => void,
  ) {}

  get carrier(): TransportWriter {
    return this.writer;
  }

  get matchedReaders(): number {
    return this.writer.matchedReaders;
  }

  write(bytes: Uint8Array, order?: SendOrder): void {
    this.writer.write(bytes, order);
  }

  matchedParticipants(): ReadonlySet<string> {
    return this.writer.matchedParticipants();
  }

  close(): void {
    this.writer.close();
    this.onClosed();
  }
}

class RosNamedReader implements TransportReader {
  constructor(
    private readonly reader: TransportReader & Identified,
    readonly topic: TopicSpec,
    private readonly onClosed: () => void,
  ) {}

  get matchedWriters(): number {
    return this.reader.matchedWriters;
  }

  matchedParticipants(): ReadonlySet<string> {
    return this.reader.matchedParticipants();
  }

  close(): void {
    this.reader.close();
    this.onClosed();
  }
}
