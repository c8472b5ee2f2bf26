import type { SendOrder, TransportWriter, WriterListener } from '../ports/index.js';
import type { Topic } from '../messages/index.js';
import type { Side } from './side.js';
import { attemptWrite, type TopicErrors } from './topic-errors.js';

/** A writer of one topic that reports its failures to the errors of its side. */
export interface TopicWriter<T> {
  /** Throws its failures instead of reporting them. */
  readonly endpoint: TransportWriter;
  /**
   * Encodes and writes a message.
   * @throws RangeError when a field does not fit its IDL type.
   */
  write(message: T, order?: SendOrder): void;
  /**
   * Writes one sample.
   * @param bytes CDR with encapsulation header; read during the call only.
   */
  writeSample(bytes: Uint8Array): void;
  /** Closing twice is allowed. */
  close(): void;
}

/**
 * A writer for a topic with the QoS of the side.
 * @throws HlcError `HLC_DDS_ENTITY` when the QoS is refused.
 */
export function writeTopic<T>(
  { transport, qos }: Side,
  topic: Topic<T>,
  errors: TopicErrors,
  listener: WriterListener = {},
): TopicWriter<T> {
  const endpoint = transport.createWriter(topic, qos.writer(topic.name), {
    ...listener,
    onIncompatibleQos: ({ policy }) => errors.incompatibleQos(topic.name, 'writer', policy),
    onWriteFailed: (error) => errors.writeFailed(error),
  });
  const writeSample = (bytes: Uint8Array, order?: SendOrder) =>
    attemptWrite(errors, () => endpoint.write(bytes, order));
  return {
    endpoint,
    write: (message, order) => writeSample(topic.codec.encodeShared(message), order),
    writeSample,
    close: () => endpoint.close(),
  };
}
