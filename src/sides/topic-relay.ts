import type { Topic } from '../messages/index.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';
import type { Side } from './side.js';
import { PatientWriter } from './patient-writer.js';

/** Messages kept for a target that may not have them yet; beyond it the newest are dropped. */
const mostHeld = 10_000;

/** Repeats every message of a topic on another side, unchanged and in order. */
export class TopicRelay<T> {
  readonly #write: (bytes: Uint8Array) => void;
  /** Undefined when nothing is held back. */
  #held: Uint8Array[] | undefined;

  /** @param start `hold` keeps the messages until `release`. */
  constructor(
    topic: Topic<T>,
    from: Side,
    to: Side,
    errors: TopicErrors,
    start: 'pass' | 'hold' = 'pass',
  ) {
    const writer = new PatientWriter(to, topic, errors);
    this.#write = (bytes) => writer.write(bytes);
    this.#held = start === 'hold' ? [] : undefined;
    readTopic(
      from,
      topic,
      (_, { bytes }) => {
        if (this.#held === undefined) this.#write(bytes);
        else if (this.#held.length < mostHeld) this.#held.push(Uint8Array.from(bytes));
        else errors.lost(topic.name, 'overflow', 1);
      },
      errors,
    );
  }

  /** Writes what was held back, and holds nothing back any more. */
  release(): void {
    for (const bytes of this.#held ?? []) this.#write(bytes);
    this.#held = undefined;
  }
}
