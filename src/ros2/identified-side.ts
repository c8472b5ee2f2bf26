import { RecentKeys } from '../core/index.js';
import { HlcError } from '../errors/index.js';
import type {
  QosPolicies,
  ReaderListener,
  ReaderOptions,
  TopicSpec,
  Transport,
  TransportReader,
  TransportWriter,
  WriterListener,
} from '../ports/index.js';
import type { OnRosError } from './on-dds/node-announcement.js';
import type { RosParticipant } from './ros-participant.js';

/** Discovery of DDS has met the writers that the graph of ROS 2 names within this time, ms. */
const discoveryMs = 5000;
const checkEveryMs = 1000;

/** Publishers of a topic that are remembered: each is reported once. */
const mostReported = 1000;

/** What an identified side is made of. */
export interface IdentifiedSideOptions {
  /** Writes, and stands in the graph of ROS 2. */
  readonly node: RosParticipant;
  /** Reads the same topics on plain DDS, which names the writer of every sample. */
  readonly readers: Transport;
  readonly onError: OnRosError;
}

interface Watched {
  readonly reader: TransportReader;
  /** Participants that the graph names and that have not matched, since when, ms. */
  readonly unmatchedSinceMs: Map<string, number>;
}

/**
 * A side in ROS 2 that knows the writer of every sample. rclnodejs 2.2 hands over serialized messages
 * without their writer, and rmw_cyclonedds_cpp names writers in message infos by a handle that stands
 * in no other place. So a participant of plain DDS reads beside the node, which shows its own
 * subscriptions in the graph and never takes a message from them.
 */
export class IdentifiedRosSide implements Transport {
  readonly knowsWriters = true;
  readonly #options: IdentifiedSideOptions;
  readonly #watched = new Set<Watched>();
  readonly #reported = new RecentKeys(mostReported);
  readonly #timer: NodeJS.Timeout;

  constructor(options: IdentifiedSideOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#check(), checkEveryMs);
    this.#timer.unref();
  }

  createWriter(topic: TopicSpec, qos: QosPolicies, listener?: WriterListener): TransportWriter {
    return this.#options.node.createWriter(topic, qos, listener);
  }

  createReader(
    topic: TopicSpec,
    qos: QosPolicies,
    listener: ReaderListener,
    options?: ReaderOptions,
  ): TransportReader {
    const { node, readers } = this.#options;
    node.showSubscription(topic);
    const reader = readers.createReader(topic, qos, listener, options);
    const watched = { reader, unmatchedSinceMs: new Map<string, number>() };
    // Of two readers of a topic, the one for reliable writers alone does not match all of them.
    const seesAll = options?.ignoreReliableWriters === true || qos.reliability?.kind !== 'reliable';
    if (seesAll) this.#watched.add(watched);
    return {
      topic,
      get matchedWriters() {
        return reader.matchedWriters;
      },
      matchedParticipants: () => reader.matchedParticipants(),
      close: () => {
        this.#watched.delete(watched);
        reader.close();
      },
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#options.readers.close();
    this.#options.node.close();
  }

  /** Looks for nodes that the graph of ROS 2 names and that DDS does not reach. */
  #check(): void {
    const nowMs = performance.now();
    for (const { reader, unmatchedSinceMs } of this.#watched) {
      const matched = reader.matchedParticipants();
      const unmatched = this.#options.node
        .publishersOf(reader.topic)
        .filter(({ participant }) => !matched.has(participant));
      const names = new Set(unmatched.map(({ participant }) => participant));
      for (const known of unmatchedSinceMs.keys()) {
        if (!names.has(known)) unmatchedSinceMs.delete(known);
      }
      for (const { participant, node } of unmatched) {
        const sinceMs = unmatchedSinceMs.get(participant) ?? nowMs;
        unmatchedSinceMs.set(participant, sinceMs);
        if (nowMs - sinceMs > discoveryMs) this.#report(node, reader.topic.name);
      }
    }
  }

  #report(node: string, topic: string): void {
    const key = `${node} ${topic}`;
    if (!this.#reported.add(key)) return;
    this.#options.onError(new HlcError('HLC_ROS_UNREACHED', { node, topic }));
  }
}
