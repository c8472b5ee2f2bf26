import {
  commanded,
  followed,
  type LifecycleCommand,
  type LifecycleOutcome,
  type LifecycleState,
  type LifecycleTransition,
  type PassingState,
} from './states.js';

/** The work of each command. A throw is the outcome `error`. */
export type LifecycleWork = Readonly<
  Record<LifecycleCommand, () => LifecycleOutcome | Promise<LifecycleOutcome>>
> & {
  /** Brings the node back to what it was before it was configured, after an error. */
  readonly recover: () => LifecycleOutcome | Promise<LifecycleOutcome>;
};

export interface LifeCycleEvents {
  /** The node went along an arrow. */
  readonly onTransition: (transition: LifecycleTransition) => void;
  /** Work threw. */
  readonly onFault: (fault: unknown) => void;
}

/** Carries a node through its life, one command at a time. */
export class LifeCycle {
  #state: LifecycleState = 'unconfigured';
  /** Settles when no command is at work. */
  #idle: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly work: LifecycleWork,
    private readonly events: LifeCycleEvents,
  ) {}

  get state(): LifecycleState {
    return this.#state;
  }

  /**
   * Does a command, if this state knows it.
   * @returns how it ended; `unknown` when nothing was done, since the state does not know it or
   *   another command is at work.
   */
  command(command: LifecycleCommand): Promise<LifecycleOutcome | 'unknown'> {
    const arrow = commanded(this.#state, command);
    if (arrow === undefined) return Promise.resolve('unknown');
    const done = this.#pass(arrow, this.work[command]);
    this.#idle = done;
    return done;
  }

  /** Waits for the command at work, and then ends the life of the node, if it has not ended. */
  async end(): Promise<void> {
    await this.#idle;
    await this.command('shutdown');
  }

  async #pass(
    arrow: LifecycleTransition & { readonly to: PassingState },
    work: () => LifecycleOutcome | Promise<LifecycleOutcome>,
  ): Promise<LifecycleOutcome> {
    this.#go(arrow);
    const outcome = await this.#attempt(work);
    this.#go(followed(arrow.to, outcome));
    if (this.#state === 'errorprocessing') {
      this.#go(followed(this.#state, await this.#attempt(this.work.recover)));
    }
    return outcome;
  }

  async #attempt(
    work: () => LifecycleOutcome | Promise<LifecycleOutcome>,
  ): Promise<LifecycleOutcome> {
    try {
      return await work();
    } catch (fault) {
      this.events.onFault(fault);
      return 'error';
    }
  }

  #go(transition: LifecycleTransition): void {
    this.#state = transition.to;
    this.events.onTransition(transition);
  }
}
