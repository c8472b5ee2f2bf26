import type { Topic } from '../messages/index.js';
import { PatientWriter } from './patient-writer.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';

/**
 * Repeats every message of a topic on another side, unchanged and in order.
 * @param start `hold` keeps the messages until the returned writer is released: the target may not be there yet.
 */
export function relayTopic<T>(
  topic: Topic<T>,
  from: Side,
  to: Side,
  errors: TopicErrors,
  start: 'pass' | 'hold' = 'pass',
): PatientWriter<T> {
  const writer = new PatientWriter(to, topic, errors, start);
  readTopic(from, topic, (_, { bytes }) => writer.write(bytes), errors);
  return writer;
}
