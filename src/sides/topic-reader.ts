import {
  unknownWriter,
  type ReaderListener,
  type ReceivedSample,
  type TransportReader,
  type WriterChange,
} from '../ports/index.js';
import { CdrError, type Topic } from '../messages/index.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';

/**
 * Reads a topic with the readers that this side has for it, and decodes what comes; a reader
 * for best-effort writers stands beside a reliable one, and no message arrives twice. A transport
 * that does not know the writers has one reader, which becomes best effort when it has to.
 */
export function readTopic<T>(
  { transport, qos }: Side,
  topic: Topic<T>,
  onMessage: (message: T, sample: ReceivedSample) => void,
  errors: TopicErrors,
  onWriterChanged: (change: WriterChange) => void = () => undefined,
): TransportReader[] {
  const listener = {
    onSample(sample) {
      let message: T;
      try {
        message = topic.codec.decode(sample.bytes);
      } catch (error) {
        if (!(error instanceof CdrError)) throw error;
        errors.malformed(topic.name, sample.writer.guid, error.message);
        return;
      }
      onMessage(message, sample);
    },
    onMalformed: ({ writerGuid, cause }) => errors.malformed(topic.name, writerGuid, cause),
    onIncompatibleQos: ({ policy }) => errors.incompatibleQos(topic.name, 'reader', policy),
    onMatched: (_, change) => {
      if (change.writer.guid !== unknownWriter.guid) onWriterChanged(change);
    },
    onSampleLost: ({ reason, total }) => errors.lost(topic.name, reason, total),
  } satisfies ReaderListener;
  const readers = qos.readers(topic.name);
  const [first] = readers;
  if (!transport.knowsWriters && first !== undefined) {
    const options = { yieldToBestEffort: readers.length > 1 };
    return [transport.createReader(topic, first.qos, listener, options)];
  }
  return readers.map(({ qos, options }) => {
    // With a best-effort reader beside it, a reliable one that refuses a writer loses nothing.
    const backed = readers.length > 1 && !options.ignoreReliableWriters;
    const { onIncompatibleQos, ...quiet } = listener;
    const reporting = backed ? quiet : { ...quiet, onIncompatibleQos };
    return transport.createReader(topic, qos, reporting, options);
  });
}
