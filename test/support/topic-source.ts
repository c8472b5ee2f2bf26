import type { QosPolicies } from '../../src/ports/index.js';
import type { DdsParticipant, DdsWriter } from '../../src/dds/index.js';
import type { Topic } from '../../src/messages/index.js';
import { Recorder } from './recorder.js';

const reliable: QosPolicies = { reliability: { kind: 'reliable' }, history: { kind: 'keep-all' } };

/** Writes a topic; what is written once a reader is matched is not lost. */
export class TopicSource<T> {
  readonly #writer: DdsWriter;
  readonly #matches: Recorder<number>;

  constructor(
    side: DdsParticipant,
    private readonly topic: Topic<T>,
    qos = reliable,
  ) {
    this.#matches = new Recorder(`participants that read topic ${topic.name}`);
    this.#writer = side.createWriter(topic, qos, {
      onMatched: () => this.#matches.add(this.#writer.matchedParticipants().size),
    });
  }

  /** What is not given is zero. */
  write(message: Partial<T>): void {
    const { codec } = this.topic;
    this.#writer.write(codec.encode({ ...codec.zero(), ...message }));
  }

  /** Settles when so many participants have read at the same time. */
  async untilReadBy(participants: number): Promise<void> {
    await this.#matches.until((count) => count >= participants);
  }
}
