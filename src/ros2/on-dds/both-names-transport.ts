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
import type { DdsSide } from './dds-side.js';
import { withIdlNames } from './idl-topic-names.js';
import { RosNamedTransport, type RosNaming } from './ros-named-transport.js';

/**
 * A side of plain DDS whose topics have two names each: that of the wire contract in `idl/`, and that
 * of ROS 2. Peers of both kinds receive every sample, and samples of both arrive in one listener.
 * Only the calling thread writes: a writer has no single carrier.
 */
export class BothNamesTransport implements Transport {
  readonly knowsWriters = true;
  readonly #dds: DdsSide;
  readonly #ros: RosNamedTransport;
  readonly #naming: RosNaming;

  /** @param dds made with `participantData` as its user data */
  constructor(dds: DdsSide, naming: RosNaming) {
    this.#dds = dds;
    this.#ros = new RosNamedTransport(dds, naming);
    this.#naming = naming;
  }

  createWriter(topic: TopicSpec, qos: QosPolicies, listener: WriterListener = {}): TransportWriter {
    const both: TransportWriter[] = [];
    const shared: WriterListener = {
      ...listener,
      onMatched: () => listener.onMatched?.(readersOf(both)),
    };
    both.push(this.#dds.createWriter(topic, qos, shared));
    both.push(this.#ros.createWriter(topic, qos, shared));
    return new BothWriters(topic, both);
  }

  createReader(
    topic: TopicSpec,
    qos: QosPolicies,
    listener: ReaderListener,
    options?: ReaderOptions,
  ): TransportReader {
    const both: TransportReader[] = [];
    const shared: ReaderListener = {
      ...listener,
      onSample: (sample) => listener.onSample(sample),
      onMatched: (_, change) => listener.onMatched?.(writersOf(both), change),
    };
    both.push(this.#dds.createReader(topic, qos, shared, options));
    both.push(this.#ros.createReader(topic, qos, shared, options));
    return new BothReaders(topic, both);
  }

  /** For what the node publishes beside the topics of the transport. */
  get topics(): RosNamedTransport['topics'] {
    return this.#ros.topics;
  }

  /** The participants of the domain; topics and types with either name are as in `idl/`. */
  discovered(): DiscoveredDomain {
    const domain = this.#dds.discovered();
    const named = withIdlNames(domain, this.#naming).participants;
    const participants = domain.participants.map((participant, index) => {
      const plain = participant.endpoints.filter(({ topic }) => !topic.startsWith('rt/'));
      return { ...participant, endpoints: [...plain, ...(named[index]?.endpoints ?? [])] };
    });
    return { ...domain, participants };
  }

  close(): void {
    this.#ros.close();
  }
}

function readersOf(writers: readonly TransportWriter[]): number {
  return writers.reduce((sum, { matchedReaders }) => sum + matchedReaders, 0);
}

function writersOf(readers: readonly TransportReader[]): number {
  return readers.reduce((sum, { matchedWriters }) => sum + matchedWriters, 0);
}

function participantsOf(
  endpoints: readonly (TransportReader | TransportWriter)[],
): ReadonlySet<string> {
  return new Set(endpoints.flatMap((endpoint) => [...endpoint.matchedParticipants()]));
}

class BothWriters implements TransportWriter {
  constructor(
    readonly topic: TopicSpec,
    private readonly writers: readonly TransportWriter[],
  ) {}

  get matchedReaders(): number {
    return readersOf(this.writers);
  }

  write(bytes: Uint8Array, order?: SendOrder): void {
    for (const writer of this.writers) writer.write(bytes, order);
  }

  matchedParticipants(): ReadonlySet<string> {
    return participantsOf(this.writers);
  }

  close(): void {
    for (const writer of this.writers) writer.close();
  }
}

class BothReaders implements TransportReader {
  constructor(
    readonly topic: TopicSpec,
    private readonly readers: readonly TransportReader[],
  ) {}

  get matchedWriters(): number {
    return writersOf(this.readers);
  }

  matchedParticipants(): ReadonlySet<string> {
    return participantsOf(this.readers);
  }

  close(): void {
    for (const reader of this.readers) reader.close();
  }
}
