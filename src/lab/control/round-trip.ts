import { topics, type RoundTripTime } from '../../messages/index.js';
import type { TopicWriter } from '../../sides/index.js';
import type { LabControlIo } from './io.js';
import { RoundTripMeter, type RoundTrip } from './round-trip-meter.js';

/** How long a measurement waits. The defaults are those of the lab (CPM Lab, `RTTTool`). */
export interface RoundTripWaits {
  /** For the first answer, ns; default 2 s. */
  readonly firstAnswerNs?: bigint;
  /** For further answers after the first, ns; default 0.5 s. */
  readonly furtherAnswersNs?: bigint;
}

interface Running {
  readonly furtherAnswersNs: bigint;
  readonly promise: Promise<readonly RoundTrip[]>;
  readonly settle: (roundTrips: readonly RoundTrip[]) => void;
  answered: boolean;
  cancelWait: () => void;
}

/** Asks all others for answers and times them, and answers to others (CPM Lab, `RTTTool`). */
export class RoundTripProbe {
  readonly #meter = new RoundTripMeter();
  readonly #writer: TopicWriter<RoundTripTime>;
  #running: Running | undefined;

  /**
   * @param id Own source id.
   * @param monotonicNs The clock of reception times.
   */
  constructor(
    private readonly io: LabControlIo,
    private readonly id: string,
    private readonly monotonicNs: () => bigint,
  ) {
    this.#writer = io.writer(topics.round_trip_time);
    io.read(topics.round_trip_time, (message, { receivedAtNs }) => {
      if (message.is_answer) this.#onAnswer(message, receivedAtNs);
      else if (message.source_id !== id) {
        this.#writer.write({ source_id: id, is_answer: true, count: message.count });
      }
    });
  }

  /** A second call while one is under way joins it, with its waits. */
  measure(waits: RoundTripWaits): Promise<readonly RoundTrip[]> {
    if (this.#running) return this.#running.promise;
    const { firstAnswerNs = 2_000_000_000n, furtherAnswersNs = 500_000_000n } = waits;
    const { promise, settle } = deferred<readonly RoundTrip[]>();
    this.#running = {
      furtherAnswersNs,
      promise,
      settle,
      answered: false,
      cancelWait: this.io.later(firstAnswerNs, () => this.end()),
    };
    const count = this.#meter.begin(this.monotonicNs());
    this.#writer.write({ source_id: this.id, is_answer: false, count });
    return promise;
  }

  /** Ends the measurement under way with what is there. */
  end(): void {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    running.cancelWait();
    running.settle(this.#meter.end());
  }

  #onAnswer({ source_id, count }: RoundTripTime, receivedAtNs: bigint): void {
    const running = this.#running;
    if (!this.#meter.answer(source_id, count, receivedAtNs) || !running || running.answered) return;
    running.answered = true;
    running.cancelWait();
    running.cancelWait = this.io.later(running.furtherAnswersNs, () => this.end());
  }
}

function deferred<T>(): { promise: Promise<T>; settle: (value: T) => void } {
  let settle!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
