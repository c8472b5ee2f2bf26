import { HlcError } from '../../errors/index.js';
import type {
  ReceivedSample,
  Transport,
  TransportReader,
  WriterChange,
  WriterListener,
} from '../../ports/index.js';
import type { Topic } from '../../messages/index.js';
import {
  labControlQos,
  readTopic,
  writeTopic,
  type Side,
  type TopicErrors,
  type TopicWriter,
} from '../../sides/index.js';
import type { LabClock } from '../lab-clock.js';
import type { LabControlEvent } from './events.js';

/** The endpoints and the timers of a lab control, which close together. */
export class LabControlIo {
  readonly #side: Side;
  readonly #errors: TopicErrors;
  readonly #open = new Set<{ close(): void }>();
  #closed = false;

  constructor(
    transport: Transport,
    private readonly clock: LabClock,
    report: (event: LabControlEvent) => void,
  ) {
    this.#side = { transport, qos: labControlQos };
    this.#errors = {
      malformed: (topicName, writerGuid, cause) =>
        report({ kind: 'malformed', topicName, writerGuid, cause }),
      // One of two readers of a peer may refuse a writer that the other one matches.
      incompatibleQos: () => undefined,
      writeFailed: (error) => report({ kind: 'fault', error }),
      lost: () => undefined,
    };
  }

  /** @throws HlcError `HLC_DDS_ENTITY` when the QoS is refused. */
  read<T>(
    topic: Topic<T>,
    onMessage: (message: T, sample: ReceivedSample) => void,
    onWriterChanged?: (change: WriterChange) => void,
  ): TransportReader[] {
    const readers = readTopic(this.#side, topic, onMessage, this.#errors, onWriterChanged);
    for (const reader of readers) this.#open.add(reader);
    return readers;
  }

  /**
   * A writer that throws `HLC_CLOSED` once the lab control is closed.
   * @throws HlcError `HLC_DDS_ENTITY` when the QoS is refused, `HLC_CLOSED` when the lab control is
   *   closed.
   */
  writer<T>(topic: Topic<T>, listener?: WriterListener): TopicWriter<T> {
    this.#checkOpen();
    const writer = writeTopic(this.#side, topic, this.#errors, listener);
    this.#open.add(writer);
    return {
      ...writer,
      write: (message) => {
        this.#checkOpen();
        writer.write(message);
      },
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
