import type { QosPolicies, SampleLost } from '../../src/ports/index.js';
import type { DdsParticipant } from '../../src/dds/index.js';
import type { Topic } from '../../src/messages/index.js';
import { Recorder } from './recorder.js';

/** A message as it came. */
export interface Received<T> {
  readonly message: T;
  /** CDR with encapsulation header. */
  readonly bytes: Uint8Array;
  /** Monotonic clock, ns. */
  readonly receivedAtNs: bigint;
  /** When it was written, by the clock of its writer, ns since 1970. */
  readonly sourceTimestampNs: bigint;
}

const reliable: QosPolicies = { reliability: { kind: 'reliable' }, history: { kind: 'keep-all' } };

/** Reads a topic, and keeps what comes. */
export class TopicRecorder<T> {
  readonly messages: Recorder<Received<T>>;
  /** What was sent and did not come: a writer that keeps the newest sample only does not send an older one again. */
  readonly losses: SampleLost[] = [];
  readonly #matched: Recorder<number>;

  /** @param qos reliable and volatile by default */
  constructor(side: DdsParticipant, topic: Topic<T>, qos = reliable) {
    this.messages = new Recorder(`messages of topic ${topic.name}`);
    this.#matched = new Recorder(`matched writers of topic ${topic.name}`);
    side.createReader(topic, qos, {
      onSample: ({ bytes, receivedAtNs, sourceTimestampNs }) => {
        const copy = bytes.slice();
        const message = topic.codec.decode(copy);
        this.messages.add({ message, bytes: copy, receivedAtNs, sourceTimestampNs });
      },
      onMatched: (writers) => this.#matched.add(writers),
      onSampleLost: (lost) => this.losses.push(lost),
    });
  }

  /** All messages so far. */
  get samples(): readonly T[] {
    return this.messages.items.map(({ message }) => message);
  }

  /** Number of matched writers. */
  get writers(): number {
    return this.#matched.items.at(-1) ?? 0;
  }

  /** Settles when so many writers match. */
  async untilMatched(count = 1): Promise<void> {
    await this.#matched.until((writers) => writers >= count);
  }
}
