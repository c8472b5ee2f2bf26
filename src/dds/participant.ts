import { HlcError } from '../errors/index.js';
import type {
  DiscoveredDomain,
  QosPolicies,
  ReaderListener,
  ReaderOptions,
  TopicSpec,
  Transport,
  WriterListener,
} from '../ports/index.js';
import { discoveredDomain } from './discovery.js';
import { DdsReader, DdsWriter, type Endpoint, type EndpointOwner } from './endpoints.js';
import { hexOf } from './event-batch.js';
import type { EntityHandle } from './native.js';
import { maxSampleBytes } from './domain-config.js';

/** What a participant needs of the context that it lives in. */
export interface ParticipantOwner extends EndpointOwner {
  remember(entity: EntityHandle, endpoint: Endpoint): void;
  /** The participant is closed: the domain may be, too. */
  release(participant: DdsParticipant): void;
}

/** What is known of the domain of a participant. */
export interface DomainState {
  /** Names of the network interfaces that the domain uses; an address where it has no name. */
  readonly interfaces: readonly string[];
  /** The kernel keeps the traffic of the domain on this machine. */
  readonly thisMachineOnly: boolean;
  /** Vendors of the participants that cannot be answered, by GUID prefix. */
  readonly unanswered: ReadonlyMap<string, string>;
}

/** One DDS participant: the transport of one side. */
export class DdsParticipant implements Transport {
  readonly knowsWriters = true;
  /** RTPS GUID, 32 hex digits. */
  readonly guid: string;
  readonly #topics = new Map<string, EntityHandle>();
  /** Those that are open. */
  readonly #endpoints = new Map<EntityHandle, Endpoint>();
  readonly #endpointOwner: EndpointOwner;
  #closed = false;

  constructor(
    private readonly owner: ParticipantOwner,
    private readonly entity: EntityHandle,
    readonly domainId: number,
    readonly domain: DomainState,
  ) {
    this.guid = hexOf(owner.native.guid(entity));
    this.#endpointOwner = {
      ...owner,
      forget: (endpoint) => {
        this.#endpoints.delete(endpoint);
        owner.forget(endpoint);
      },
    };
  }

  createWriter(topic: TopicSpec, qos: QosPolicies, listener: WriterListener = {}): DdsWriter {
    return this.#create('writer', topic, (topicEntity) => {
      const entity = this.owner.native.createWriter(this.entity, topicEntity, qos);
      return [entity, new DdsWriter(this.#endpointOwner, entity, topic, listener)];
    });
  }

  createReader(
    topic: TopicSpec,
    qos: QosPolicies,
    listener: ReaderListener,
    options: ReaderOptions = {},
  ): DdsReader {
    return this.#create('reader', topic, (topicEntity) => {
      const entity = this.owner.native.createReader(
        this.entity,
        topicEntity,
        qos,
        options.ignoreReliableWriters ?? false,
        options.ignoreOwnWriters ?? false,
        maxSampleBytes,
      );
      return [entity, new DdsReader(this.#endpointOwner, entity, topic, listener)];
    });
  }

  /** The other participants that are discovered on this domain now. */
  discovered(): DiscoveredDomain {
    if (this.#closed) throw new HlcError('HLC_CLOSED', { what: 'DDS participant' });
    const discovered = this.owner.native.discovered(this.entity);
    const domain = discoveredDomain(discovered, this.domainId, this.guid);
    const answered = new Set(domain.participants.map(({ guidPrefix }) => guidPrefix));
    const unanswered = [...this.domain.unanswered].flatMap(([guidPrefix, vendor]) =>
      answered.has(guidPrefix) ? [] : [{ guidPrefix, vendor }],
    );
    return unanswered.length === 0 ? domain : { ...domain, unanswered };
  }

  /** The open readers of a topic, in the order of their making. */
  readersOf(topicName: string): DdsReader[] {
    return [...this.#endpoints.values()].filter(
      (endpoint): endpoint is DdsReader =>
        endpoint instanceof DdsReader && endpoint.topic.name === topicName,
    );
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const endpoint of this.#endpoints.values()) endpoint.close();
    this.owner.native.closeEntity(this.entity);
    this.owner.release(this);
  }

  #create<E extends Endpoint>(
    what: 'reader' | 'writer',
    topic: TopicSpec,
    make: (topicEntity: EntityHandle) => [EntityHandle, E],
  ): E {
    if (this.#closed) throw new HlcError('HLC_CLOSED', { what: 'DDS participant' });
    try {
      const [entity, endpoint] = make(this.#topicEntity(topic));
      this.owner.remember(entity, endpoint);
      this.#endpoints.set(entity, endpoint);
      return endpoint;
    } catch (cause) {
      throw new HlcError(
        'HLC_DDS_ENTITY',
        { what, topic: topic.name, cause: (cause as Error).message },
        { cause },
      );
    }
  }

  #topicEntity(topic: TopicSpec): EntityHandle {
    const known = this.#topics.get(topic.name);
    if (known !== undefined) return known;
    const made = this.owner.native.createTopic(this.entity, topic.typeName, topic.name);
    this.#topics.set(topic.name, made);
    return made;
  }
}
