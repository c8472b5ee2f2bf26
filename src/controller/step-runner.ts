import type { VehicleStateList } from '../messages/index.js';
import type { Command } from './command.js';
import { StepAborted, stepFrom, type Step } from './step.js';

/** What a step answers: no command, one, or one for each of several vehicles. */
export type StepResult = Command | readonly Command[] | undefined;

/** A start signal that came while a step was not done. */
export interface Overrun {
  /** Start of the period whose plan is late, nanoseconds since 1970 or of the simulated time. */
  readonly tNowNs: bigint;
  /** Start of the period that began meanwhile. */
  readonly nextTNowNs: bigint;
}

/** The callbacks of a controller around a step. */
export interface StepCallbacks {
  /** @see ControllerOptions.onFirstStep */
  onFirstStep?(step: Step): void | Promise<void>;
  /** @see ControllerOptions.onStep */
  onStep(step: Step): StepResult | Promise<StepResult>;
  /** @see ControllerOptions.onOverrun */
  onOverrun?(overrun: Overrun): void;
}

/** Where steps lead. */
export interface StepOutlet {
  /** Sends the commands of a step that was done in time. */
  send(commands: readonly Command[], step: Step): void;
  /** Reports what a callback threw. Does not throw. */
  report(error: unknown): void;
}

interface RunningStep {
  readonly step: Step;
  readonly abort: AbortController;
}

/**
 * Runs one step at a time. A start signal during a step aborts it, and its commands are not sent:
 * they would answer a period that is over. The newest start signal waits until the step is done.
 */
export class StepRunner {
  readonly #callbacks: StepCallbacks;
  readonly #outlet: StepOutlet;
  #running: RunningStep | undefined;
  #waiting: VehicleStateList | undefined;
  #hadFirstStep = false;
  #ended = false;

  constructor(callbacks: StepCallbacks, outlet: StepOutlet) {
    this.#callbacks = callbacks;
    this.#outlet = outlet;
  }

  /** A start signal came. */
  onStartSignal(list: VehicleStateList): void {
    if (this.#ended) return;
    if (this.#running === undefined) {
      this.#run(list);
      return;
    }
    this.#waiting = list;
    const { step, abort } = this.#running;
    abort.abort(new StepAborted('overrun'));
    try {
      this.#callbacks.onOverrun?.({ tNowNs: step.tNowNs, nextTNowNs: list.t_now });
    } catch (error) {
      this.#outlet.report(error);
    }
  }

  /** Aborts the running step and runs no other. */
  end(reason: 'stop' | 'closed'): void {
    this.#ended = true;
    this.#running?.abort.abort(new StepAborted(reason));
  }

  #run(list: VehicleStateList): void {
    const abort = new AbortController();
    const step = stepFrom(list, abort.signal);
    this.#running = { step, abort };
    // A plan that is there at once goes out at once, without a turn of the event loop.
    let result: StepResult | Promise<StepResult>;
    try {
      result = this.#compute(step);
    } catch (error) {
      this.#failed(step, error);
      return;
    }
    if (result instanceof Promise) {
      result.then(
        (commands) => this.#done(step, commands),
        (error: unknown) => this.#failed(step, error),
      );
    } else {
      this.#done(step, result);
    }
  }

  #compute(step: Step): StepResult | Promise<StepResult> {
    if (this.#hadFirstStep) return this.#callbacks.onStep(step);
    const first = this.#callbacks.onFirstStep?.(step);
    if (!(first instanceof Promise)) {
      this.#hadFirstStep = true;
      return this.#callbacks.onStep(step);
    }
    return first.then(() => {
      this.#hadFirstStep = true;
      return step.signal.aborted ? undefined : this.#callbacks.onStep(step);
    });
  }

  #done(step: Step, result: StepResult): void {
    try {
      if (!step.signal.aborted && result !== undefined) {
        this.#outlet.send('kind' in result ? [result] : result, step);
      }
    } catch (error) {
      this.#outlet.report(error);
    }
    this.#next();
  }

  #failed(step: Step, error: unknown): void {
    const gaveUp =
      step.signal.aborted &&
      (error === step.signal.reason || (error instanceof Error && error.name === 'AbortError'));
    if (!gaveUp) this.#outlet.report(error);
    this.#next();
  }

  #next(): void {
    const list = this.#waiting;
    this.#running = undefined;
    this.#waiting = undefined;
    if (list !== undefined && !this.#ended) this.#run(list);
  }
}
