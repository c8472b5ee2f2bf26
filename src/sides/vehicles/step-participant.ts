import { stopSymbol } from '../../core/index.js';
import { topics, type ReadyStatus } from '../../messages/index.js';
import { answerRoundTrips } from '../round-trips.js';
import { writeTopic, type TopicWriter } from '../topic-writer.js';
import type { VehicleEnd } from './vehicle-end.js';

/** A lab control that comes later missed the first ready signal (CPM Lab, `TimerSimulated`). */
const repeatMs = 2000;

/** How a {@link StepParticipant} steps. */
export interface StepPlan {
  /** Source id of its ready signals. */
  readonly sourceId: string;
  /**
   * Does the step of this time, ns, and gives the time of the next one; the first one is at 0. Does
   * not fail.
   */
  readonly step: (nowNs: bigint) => Promise<bigint>;
}

/**
 * A participant of the lab's simulated time (CPM Lab, `TimerSimulated`): it signs in for the time of
 * its next step, does the step when the trigger for that time comes, and signs in for the next one.
 */
export class StepParticipant {
  readonly #ready: TopicWriter<ReadyStatus>;
  #wantedNs = 0n;
  #isWaiting = false;
  #repeat: NodeJS.Timeout | undefined;
  #ended = false;

  /** @param end On which it takes part; its endpoints close with those of the end. */
  constructor(
    end: VehicleEnd,
    private readonly plan: StepPlan,
  ) {
    answerRoundTrips(end.side, plan.sourceId, end.errors);
    this.#ready = writeTopic(end.side, topics.readyStatus, end.errors);
    this.#repeat = setInterval(() => this.#signIn(), repeatMs);
    this.#signIn();
  }

  /** A system trigger came, which is not the stop. */
  trigger(nextStartNs: bigint): void {
    if (this.#ended || !this.#isWaiting || nextStartNs !== this.#wantedNs) return;
    this.#endRepeating();
    this.#isWaiting = false;
    void this.#step(nextStartNs);
  }

  /** Signs off: the time of the lab goes on without it. Does nothing after {@link end}. */
  signOff(): void {
    if (this.#ended) return;
    this.end();
    this.#wantedNs = stopSymbol;
    this.#signIn();
  }

  /** Does and signs in for no further step. */
  end(): void {
    this.#ended = true;
    this.#endRepeating();
  }

  async #step(nowNs: bigint): Promise<void> {
    this.#wantedNs = await this.plan.step(nowNs);
    if (!this.#ended) this.#signIn();
  }

  #signIn(): void {
    this.#isWaiting = true;
    this.#ready.write({
      source_id: this.plan.sourceId,
      next_start_stamp: { nanoseconds: this.#wantedNs },
    });
  }

  #endRepeating(): void {
    clearInterval(this.#repeat);
    this.#repeat = undefined;
  }
}
