import { topics, type RoundTripTime } from '../../messages/index.js';
import type { TopicWriter } from '../../sides/index.js';
import type { LabControlIo } from './io.js';

/** How long a question waits. The defaults are those of the lab (CPM Lab, `RTTTool`). */
export interface RoundTripWaits {
  /** For the first answer, ns; default 2 s. */
  readonly firstAnswerNs?: bigint;
  /** For further answers after the first, ns; default 0.5 s. */
  readonly furtherAnswersNs?: bigint;
}

interface OpenQuestion {
  readonly furtherAnswersNs: bigint;
  readonly promise: Promise<readonly string[]>;
  readonly settle: (sourceIds: readonly string[]) => void;
  readonly answered: Set<string>;
  cancelWait: () => void;
}

/** The source id of the lab control, as in the lab. */
const ownId = 'lab_control_center';

/** Asks all others for answers, and answers to others (CPM Lab, `RTTTool`). */
export class RoundTripProbe {
  readonly #writer: TopicWriter<RoundTripTime>;
  /** Number of the newest question: 1, 2, ... 255, 0, 1, ... */
  #count = 0;
  #open: OpenQuestion | undefined;

  constructor(private readonly io: LabControlIo) {
    this.#writer = io.writer(topics.round_trip_time);
    io.read(topics.round_trip_time, (message) => {
      if (message.is_answer) this.#onAnswer(message);
      else if (message.source_id !== ownId) {
        this.#writer.write({ source_id: ownId, is_answer: true, count: message.count });
      }
    });
  }

  /** A second call while a question is open joins it, with its waits. */
  askAll(waits: RoundTripWaits): Promise<readonly string[]> {
    if (this.#open) return this.#open.promise;
    const { firstAnswerNs = 2_000_000_000n, furtherAnswersNs = 500_000_000n } = waits;
    const { promise, settle } = deferred<readonly string[]>();
    this.#open = {
      furtherAnswersNs,
      promise,
      settle,
      answered: new Set(),
      cancelWait: this.io.later(firstAnswerNs, () => this.end()),
    };
    this.#count = (this.#count + 1) % 256;
    this.#writer.write({ source_id: ownId, is_answer: false, count: this.#count });
    return promise;
  }

  /** Closes an open question with the answers that are there. */
  end(): void {
    const question = this.#open;
    if (!question) return;
    this.#open = undefined;
    question.cancelWait();
    question.settle([...question.answered]);
  }

  #onAnswer({ source_id, count }: RoundTripTime): void {
    const question = this.#open;
    if (!question || count !== this.#count) return;
    const isFirst = question.answered.size === 0;
    question.answered.add(source_id);
    if (!isFirst) return;
    question.cancelWait();
    question.cancelWait = this.io.later(question.furtherAnswersNs, () => this.end());
  }
}

function deferred<T>(): { promise: Promise<T>; settle: (value: T) => void } {
  let settle!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
