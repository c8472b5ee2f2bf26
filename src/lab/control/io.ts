import { HlcError } from '../../core/errors/index.js';
import type {
  QosPolicies,
  ReceivedSample,
  Transport,
  WriterListener,
} from '../../core/ports/index.js';
import { CdrError, type Topic } from '../../messages/index.js';
import type { LabControlEvent } from './events.js';
import type { LabClock } from '../lab-clock.js';

/** Writes the messages of one topic. */
export interface MessageWriter<T> {
  /**
   * Writes a message; a failure of the network is told as an event.
   * @throws RangeError when a field does not fit its IDL type.
   * @throws HlcError `HLC_CLOSED` when the lab control is closed.
   */
  write(message: T): void;
  /** The participants (GUID prefix, 24 hex digits) that have a matched reader now. */
  matchedParticipants(): ReadonlySet<string>;
  close(): void;
}

/** The endpoints and the timers of a lab control, which close together. */
export class LabControlIo {
  readonly #open = new Set<{ close(): void }>();
  #closed = false;

  constructor(
    private readonly transport: Transport,
    private readonly clock: LabClock,
    private readonly tell: (event: LabControlEvent) => void,
  ) {}

  /** @throws HlcError `HLC_DDS_ENTITY` when the QoS is refused. */
  read<T>(
    topic: Topic<T>,
    qos: QosPolicies,
    onMessage: (message: T, sample: ReceivedSample) => void,
  ): void {
    const malformed = (writerGuid: string, cause: string) =>
      this.tell({ kind: 'malformed', topicName: topic.name, writerGuid, cause });
    const reader = this.transport.createReader(topic, qos, {
      onSample: (sample) => {
        let message: T;
        try {
          message = topic.codec.decode(sample.bytes);
        } catch (error) {
          if (!(error instanceof CdrError)) throw error;
          malformed(sample.writer.guid, error.message);
          return;
        }
        onMessage(message, sample);
      },
      onMalformed: ({ writerGuid, cause }) => malformed(writerGuid, cause),
      onIncompatibleQos: ({ policy }) =>
        this.tell({ kind: 'incompatible-qos', topicName: topic.name, end: 'reader', policy }),
    });
    this.#open.add(reader);
  }

  /**
   * @throws HlcError `HLC_DDS_ENTITY` when the QoS is refused, `HLC_CLOSED` when the lab control is
   *   closed.
   */
  writer<T>(topic: Topic<T>, qos: QosPolicies, listener: WriterListener = {}): MessageWriter<T> {
    this.#checkOpen();
    const writer = this.transport.createWriter(topic, qos, {
      ...listener,
      onIncompatibleQos: ({ policy }) =>
        this.tell({ kind: 'incompatible-qos', topicName: topic.name, end: 'writer', policy }),
    });
    this.#open.add(writer);
    return {
      write: (message) => {
        this.#checkOpen();
        const bytes = topic.codec.encode(message);
        try {
          writer.write(bytes);
        } catch (error) {
          this.tell({ kind: 'fault', error });
        }
      },
      matchedParticipants: () => writer.matchedParticipants(),
      close: () => {
        this.#open.delete(writer);
        writer.close();
      },
    };
  }

  /**
   * Calls back once after a time, ns, unless the lab control closes before.
   * @returns Cancels the call; without effect after it.
   * @throws HlcError `HLC_CLOSED` when it is closed.
   */
  later(delayNs: bigint, callback: () => void): () => void {
    this.#checkOpen();
    const cancel = this.clock.at(this.clock.nowNs() + delayNs, () => {
      this.#open.delete(timer);
      callback();
    });
    const timer = { close: cancel };
    this.#open.add(timer);
    return () => {
      this.#open.delete(timer);
      cancel();
    };
  }

  /** Closing twice is allowed. */
  close(): void {
    this.#closed = true;
    for (const open of this.#open) open.close();
    this.#open.clear();
  }

  #checkOpen(): void {
    if (this.#closed) throw new HlcError('HLC_CLOSED', { what: 'lab control' });
  }
}
