import type { Command, Step, StepResult } from '../../controller/index.js';
import { idle, type Actuation } from './protocol/control.js';

/** How long the last control of an asynchronous client holds, ms. */
export const holdMs = 1000;

/** An episode at work: both ports of its agent are connected. */
export interface Episode {
  /** Each frame waits for its control. */
  readonly synchronous: boolean;
  /** Sends the frame of a step. */
  send(step: Step): void;
}

/**
 * The exchange of frames and controls between the steps of a controller and its client.
 *
 * A synchronous client: its control is the reply to the step whose frame it answers. A control that
 * comes after the next start signal is the reply to the newest step, and the frame of that step goes
 * out with it. An asynchronous client: every step is answered at once with its last control; when that
 * is too old, with the next one, which simulated time waits for.
 * Between two episodes a step is open until the next one begins, which sees it, also when the one before
 * has seen it and sent no control.
 */
export class FrameExchange {
  #episode: Episode | undefined;
  /** The newest step whose frame has not been sent in this episode. */
  #unshown: Step | undefined;
  /** The step whose frame a synchronous client owes a control for. */
  #owed: Step | undefined;
  /** Answers the step that runs. */
  #answer: ((command: Command | undefined) => void) | undefined;
  /** Since when a synchronous client owes a control, ms. */
  #awaitingSinceMs: number | undefined;
  /** Came before the frame that it belongs to. */
  #early: Actuation | undefined;
  #last: { readonly actuation: Actuation; readonly atMs: number } | undefined;

  /** @param nowMs Any monotonic clock, ms. */
  constructor(
    private readonly vehicleId: number,
    private readonly nowMs: () => number,
  ) {}

  /** For how long a synchronous client has owed a control, ms; 0 when it owes none. */
  get silentMs(): number {
    return this.#awaitingSinceMs === undefined ? 0 : this.nowMs() - this.#awaitingSinceMs;
  }

  /** A start signal came. */
  onStep(step: Step): StepResult | Promise<StepResult> {
    this.#unshown = step;
    const episode = this.#episode;
    if (episode?.synchronous === false) {
      this.#show(episode);
      return this.#held() ?? this.#answered(step);
    }
    const answer = this.#answered(step);
    if (episode !== undefined) this.#show(episode);
    return answer;
  }

  /** An episode begins; it is shown the step that is open. */
  begin(episode: Episode): void {
    this.end();
    this.#episode = episode;
    this.#last = { actuation: idle, atMs: this.nowMs() };
    if (this.#answer === undefined) return;
    this.#show(episode);
    if (!episode.synchronous) this.#reply(this.#held());
  }

  /** The episode is over. */
  end(): void {
    if (this.#owed?.signal.aborted === false) this.#unshown ??= this.#owed;
    this.#owed = undefined;
    this.#episode = undefined;
    this.#awaitingSinceMs = undefined;
    this.#early = undefined;
    this.#last = undefined;
  }

  /** A control came. */
  onControl(actuation: Actuation): void {
    const episode = this.#episode;
    if (episode === undefined) return;
    this.#last = { actuation, atMs: this.nowMs() };
    if (!episode.synchronous) {
      this.#reply(this.#commandOf(actuation));
      return;
    }
    if (this.#awaitingSinceMs === undefined) {
      this.#early = actuation;
      return;
    }
    this.#awaitingSinceMs = undefined;
    this.#owed = undefined;
    this.#reply(this.#commandOf(actuation));
    this.#show(episode);
  }

  /** The command of a step that stays open; undefined when the next start signal comes before it. */
  #answered({ signal }: Step): Promise<Command | undefined> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
  }

  #show(episode: Episode): void {
    const step = this.#unshown;
    if (step === undefined || this.#awaitingSinceMs !== undefined) return;
    this.#unshown = undefined;
    episode.send(step);
    if (!episode.synchronous) return;
    this.#awaitingSinceMs = this.nowMs();
    this.#owed = step;
    const early = this.#early;
    this.#early = undefined;
    if (early !== undefined) this.onControl(early);
  }

  /** The last control of an asynchronous client; undefined when it is too old. */
  #held(): Command | undefined {
    if (this.#last === undefined || this.nowMs() - this.#last.atMs > holdMs) return undefined;
    return this.#commandOf(this.#last.actuation);
  }

  #reply(command: Command | undefined): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(command);
  }

  #commandOf({ motorThrottle, steeringServo }: Actuation): Command {
    return {
      kind: 'direct',
      vehicle_id: this.vehicleId,
      motor_throttle: motorThrottle,
      steering_servo: steeringServo,
    };
  }
}
