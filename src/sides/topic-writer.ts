import type { TransportWriter, WriterListener } from '../core/ports/index.js';
import type { Topic } from '../messages/index.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';

/** A writer for a topic with the QoS of the profile. */
export function writeTopic(
  { transport, profile }: Side,
  topic: Topic<unknown>,
  errors: TopicErrors,
  listener: WriterListener = {},
): TransportWriter {
  return transport.createWriter(topic, profile.qosFor('writer', topic.name), {
    ...listener,
    onIncompatibleQos: ({ policy }) => errors.incompatibleQos(topic.name, 'writer', policy),
    onWriteFailed: (error) => errors.writeFailed(error),
  });
}
