import type { StepControl } from '../../core/index.js';
import type { NodeEffect } from '../observers/session-observer.js';

export interface TimeHoldOptions {
  /** What the next step waits for; it settles within a bounded time. Undefined when no observer asks. */
  readonly wanted: () => Promise<void> | undefined;
  /** Gives the session this control. */
  readonly control: (control: StepControl) => void;
  /** Called before a hold begins, and after it. `isPaused`: the user has paused the session meanwhile. */
  readonly onHold: (isHeld: boolean, isPaused: boolean) => void;
}

const pause: StepControl = { kind: 'pause' };

/**
 * Holds simulated time while an observer asks for it. The session is paused, so that the step under way ends,
 * no time-out runs, and vehicles are stopped where they must be; then it goes on as the user had it.
 */
export class TimeHold {
  readonly #options: TimeHoldOptions;
  /** What the user wants now. */
  #user: StepControl = { kind: 'resume' };
  #isHeld = false;
  #isClosed = false;

  constructor(options: TimeHoldOptions) {
    this.#options = options;
  }

  /** A control of the user; during a hold it takes effect after that. */
  byUser(control: StepControl): void {
    this.#user = control;
    if (!this.#isHeld) this.#options.control(control);
  }

  /** To be called with the effects of each event. */
  handled(effects: readonly NodeEffect[]): void {
    for (const { kind } of effects) if (kind === 'sendStartSignal') this.#begun();
    // A session that is paused already begins no step.
    if (this.#isHeld || this.#user.kind === 'pause') return;
    const wanted = this.#options.wanted();
    if (wanted !== undefined) void this.#hold(wanted);
  }

  /** The session is over. */
  close(): void {
    this.#isClosed = true;
  }

  /** Of the steps that the user asked for, one less is left. */
  #begun(): void {
    if (this.#user.kind !== 'step') return;
    const count = this.#user.count - 1;
    this.#user = count > 0 ? { kind: 'step', count } : pause;
  }

  async #hold(wanted: Promise<void>): Promise<void> {
    this.#isHeld = true;
    this.#options.onHold(true, false);
    this.#options.control(pause);
    await wanted;
    this.#isHeld = false;
    this.#options.onHold(false, this.#user.kind === 'pause');
    if (!this.#isClosed && this.#user.kind !== 'pause') this.#options.control(this.#user);
  }
}
