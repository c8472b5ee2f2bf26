import type { Topic } from '../messages/index.js';
import { PatientWriter } from './patient-writer.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';

/** Repeats every message of a topic on another side, unchanged and in order. */
export class TopicRelay<T> {
  readonly #writer: PatientWriter<T>;

  /** @param start `hold` keeps the messages until `release`: the target may not be there yet. */
  constructor(
    topic: Topic<T>,
    from: Side,
    to: Side,
    errors: TopicErrors,
    start: 'pass' | 'hold' = 'pass',
  ) {
    this.#writer = new PatientWriter(to, topic, errors, start);
    readTopic(from, topic, (_, { bytes }) => this.#writer.write(bytes), errors);
  }

  /** Writes what was held back, and holds nothing back any more. */
  release(): void {
    this.#writer.release();
  }
}
