import type {
  DiscoveredDomain,
  QosPolicies,
  ReaderListener,
  ReaderOptions,
  TopicSpec,
  Transport,
  TransportReader,
  TransportWriter,
  WriterListener,
} from '../../ports/index.js';

/** What is known by an RTPS GUID, 32 hex digits. */
export interface Identified {
  readonly guid: string;
}

/** A participant of plain DDS, as far as it can carry ROS 2: its entities have GUIDs. */
export interface DdsSide extends Transport, Identified {
  discovered(): DiscoveredDomain;
  createWriter(
    topic: TopicSpec,
    qos: QosPolicies,
    listener?: WriterListener,
  ): TransportWriter & Identified;
  createReader(
    topic: TopicSpec,
    qos: QosPolicies,
    listener: ReaderListener,
    options?: ReaderOptions,
  ): TransportReader & Identified;
}
