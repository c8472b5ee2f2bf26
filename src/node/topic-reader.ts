import type { HlcError } from '../core/errors/index.js';
import {
  unknownWriter,
  type ReaderListener,
  type ReceivedSample,
  type TransportReader,
  type WriterChange,
} from '../core/ports/index.js';
import { CdrError, type Topic } from '../messages/index.js';
import type { Side } from './side.js';

/** What happens on a topic beside its messages. */
export interface TopicTrouble {
  /** A sample was dropped: it is no message of the topic's type. */
  malformed(topicName: string, writerGuid: string, cause: string): void;
  /** A peer cannot be heard, since a QoS policy does not fit. */
  incompatibleQos(topicName: string, end: 'reader' | 'writer', policy: string): void;
  /** A write was refused, or a reader held it up. */
  writeFailed(error: HlcError): void;
  /**
   * Does a write; one that a reader holds up, or that the transport refuses, is logged and counted.
   * @returns false when it failed.
   */
  attempt(write: () => void): boolean;
  /** Messages were lost on the network, or because this process was too slow. */
  lost(topicName: string, reason: 'network' | 'overflow', total: number): void;
}

/**
 * Reads a topic with the readers that the QoS profile has for it, and decodes what comes; a reader
 * for best-effort writers stands beside a reliable one, and no message arrives twice. A transport
 * that does not know the writers has one reader, which becomes best effort when it has to.
 */
export function readTopic<T>(
  { transport, profile, defaults }: Side,
  topic: Topic<T>,
  onMessage: (message: T, sample: ReceivedSample) => void,
  trouble: TopicTrouble,
  onWriterChanged: (change: WriterChange) => void = () => undefined,
): TransportReader[] {
  const listener = {
    onSample(sample) {
      let message: T;
      try {
        message = topic.codec.decode(sample.bytes);
      } catch (error) {
        if (!(error instanceof CdrError)) throw error;
        trouble.malformed(topic.name, sample.writer.guid, error.message);
        return;
      }
      onMessage(message, sample);
    },
    onMalformed: ({ writerGuid, cause }) => trouble.malformed(topic.name, writerGuid, cause),
    onIncompatibleQos: ({ policy }) => trouble.incompatibleQos(topic.name, 'reader', policy),
    onMatched: (_, change) => {
      if (change.writer.guid !== unknownWriter.guid) onWriterChanged(change);
    },
    onSampleLost: ({ reason, total }) => trouble.lost(topic.name, reason, total),
  } satisfies ReaderListener;
  const readers = profile.readersFor(topic.name, defaults);
  const [first] = readers;
  if (!transport.knowsWriters && first !== undefined) {
    const options = { yieldToBestEffort: readers.length > 1 };
    return [transport.createReader(topic, first.qos, listener, options)];
  }
  return readers.map(({ qos, options }) => {
    // With a best-effort reader beside it, a reliable one that refuses a writer loses nothing.
    const backed = readers.length > 1 && !options.ignoreReliableWriters;
    const { onIncompatibleQos, ...quiet } = listener;
    const told = backed ? quiet : { ...quiet, onIncompatibleQos };
    return transport.createReader(topic, qos, told, options);
  });
}
