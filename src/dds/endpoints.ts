import { HlcError } from '../errors/index.js';
import {
  participantOf,
  type ReaderListener,
  type SendOrder,
  type TopicSpec,
  type TransportReader,
  type TransportWriter,
  type WriterChange,
  type WriterIdentity,
  type WriterListener,
} from '../ports/index.js';
import { EventKind, hexOf, type EventBatch } from './event-batch.js';
import type { EntityHandle, NativeBinding } from './native.js';
import { policyName } from './policy-names.js';

/** What an endpoint needs of its owner. */
export interface EndpointOwner {
  readonly native: NativeBinding;
  /** The endpoint is closed: no event is for it any more. */
  forget(entity: EntityHandle): void;
  writerIdentity(event: EventBatch): WriterIdentity;
  /** True while an event is handled and others wait that were received with it. */
  othersFollow(): boolean;
}

/** One end of a topic, as the dispatcher of events sees it. */
export interface Endpoint {
  readonly topic: TopicSpec;
  dispatch(event: EventBatch): void;
  close(): void;
}

abstract class ClosableEndpoint {
  /** RTPS GUID, 32 hex digits. */
  readonly guid: string;
  #closed = false;

  constructor(
    protected readonly owner: EndpointOwner,
    protected readonly entity: EntityHandle,
    readonly topic: TopicSpec,
  ) {
    this.guid = hexOf(owner.native.guid(entity));
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.owner.forget(this.entity);
    this.owner.native.closeEntity(this.entity);
  }
}

/** A DDS reader that hands its samples to a listener. */
export class DdsReader extends ClosableEndpoint implements TransportReader, Endpoint {
  #matchedWriters = 0;
  readonly #writerGuids = new Set<string>();

  constructor(
    owner: EndpointOwner,
    entity: EntityHandle,
    topic: TopicSpec,
    readonly listener: ReaderListener,
  ) {
    super(owner, entity, topic);
  }

  get matchedWriters(): number {
    return this.#matchedWriters;
  }

  matchedParticipants(): ReadonlySet<string> {
    return new Set(Array.from(this.#writerGuids, participantOf));
  }

  /** How often samples had to wait in the reader's cache because this process was too slow. */
  get stalls(): number {
    return this.closed ? 0 : this.owner.native.stalls(this.entity);
  }

  dispatch(event: EventBatch): void {
    switch (event.kind) {
      case EventKind.sample:
        this.listener.onSample({
          bytes: event.payload,
          writer: this.owner.writerIdentity(event),
          sourceTimestampNs: event.a,
          receivedAtNs: event.b,
        });
        break;
      case EventKind.subscriptionMatched:
        this.#onMatched(Number(event.a), {
          writer: this.owner.writerIdentity(event),
          joined: event.writerJoined,
        });
        break;
      case EventKind.requestedIncompatibleQos:
        this.listener.onIncompatibleQos?.({
          total: Number(event.a),
          policy: policyName(Number(event.b)),
        });
        break;
      case EventKind.sampleLost:
        this.listener.onSampleLost?.({ reason: 'network', total: Number(event.a) });
        break;
      case EventKind.sampleRejected:
        this.listener.onSampleLost?.({ reason: 'overflow', total: Number(event.a) });
        break;
      case EventKind.oversize:
        this.listener.onMalformed?.({
          writerGuid: event.guid,
          cause: `a sample of ${event.b} bytes is larger than this reader takes`,
        });
        break;
      default:
        break;
    }
  }

  #onMatched(count: number, change: WriterChange): void {
    this.#matchedWriters = count;
    if (change.joined) this.#writerGuids.add(change.writer.guid);
    else this.#writerGuids.delete(change.writer.guid);
    this.listener.onMatched?.(count, change);
  }
}

/** A DDS writer that is given CDR bytes. */
export class DdsWriter extends ClosableEndpoint implements TransportWriter, Endpoint {
  #matchedReaders = 0;
  /** Until the next change of the matched readers. */
  #participants: ReadonlySet<string> | undefined;

  constructor(
    owner: EndpointOwner,
    entity: EntityHandle,
    topic: TopicSpec,
    readonly listener: WriterListener,
  ) {
    super(owner, entity, topic);
  }

  get matchedReaders(): number {
    return this.#matchedReaders;
  }

  /**
   * For the threads of the add-on.
   * @throws HlcError `HLC_CLOSED` after `close`.
   */
  get handle(): EntityHandle {
    this.#refuseWhenClosed();
    return this.entity;
  }

  write(bytes: Uint8Array, order?: SendOrder): void {
    this.#refuseWhenClosed();
    try {
      this.owner.native.write(this.entity, bytes, this.#mayWait(order));
    } catch (cause) {
      throw this.#writeError(cause);
    }
  }

  #mayWait(order: SendOrder | undefined): boolean {
    return order === 'with-all' || (order === 'with-others' && this.owner.othersFollow());
  }

  matchedParticipants(): ReadonlySet<string> {
    if (this.closed) return new Set();
    this.#participants ??= new Set(this.owner.native.matchedParticipants(this.entity));
    return this.#participants;
  }

  dispatch(event: EventBatch): void {
    switch (event.kind) {
      case EventKind.publicationMatched:
        this.#participants = undefined;
        this.#matchedReaders = Number(event.a);
        this.listener.onMatched?.(this.#matchedReaders);
        break;
      case EventKind.offeredIncompatibleQos:
        this.listener.onIncompatibleQos?.({
          total: Number(event.a),
          policy: policyName(Number(event.b)),
        });
        break;
      case EventKind.writeFailed: {
        const cause = Buffer.from(event.payload).toString('utf8');
        this.listener.onWriteFailed?.(this.#writeError(new Error(cause)));
        break;
      }
      default:
        break;
    }
  }

  #refuseWhenClosed(): void {
    if (this.closed) throw new HlcError('HLC_CLOSED', { what: `writer of "${this.topic.name}"` });
  }

  #writeError(cause: unknown): HlcError {
    return new HlcError(
      'HLC_DDS_WRITE',
      { topic: this.topic.name, cause: (cause as Error).message },
      { cause },
    );
  }
}
