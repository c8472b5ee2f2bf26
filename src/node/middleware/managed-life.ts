import type { RunConfig } from '../../config/index.js';
import { LifeCycle, type LifecycleTransition } from '../../core/index.js';
import type { Logger } from '../logger.js';
import type { ManagedSession } from './managed-session.js';

/** The life of the node, and what the end of a session means for it. */
export class ManagedLife {
  readonly life: LifeCycle;
  /** Settles when the process has nothing left to do. */
  readonly over: Promise<void>;
  /** Why the session that the process was for, or its beginning, failed. */
  #failure: unknown;
  #isOver: () => void = () => undefined;
  #onTransition: (transition: LifecycleTransition) => void = () => undefined;

  constructor(
    private readonly config: RunConfig,
    private readonly session: ManagedSession,
    private readonly log: Logger,
    private readonly onFault: (fault: unknown) => void,
  ) {
    this.over = new Promise((resolve) => {
      this.#isOver = resolve;
    });
    this.life = new LifeCycle(session.work, {
      onTransition: (transition) => this.#went(transition),
      onFault: (fault) => this.#failed(fault),
    });
  }

  /** Called with every step of the life cycle; replaces the listener before. */
  onTransition(listener: (transition: LifecycleTransition) => void): void {
    this.#onTransition = listener;
  }

  /** Why the process failed; undefined when it did not. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Configures and activates the node; false when it could not: see `failure`. */
  async start(): Promise<boolean> {
    for (const command of ['configure', 'activate'] as const) {
      if ((await this.life.command(command)) === 'success') continue;
      this.#failure ??= this.session.failure;
      return false;
    }
    return true;
  }

  /** The session is over by itself: the process ends with it, or the node becomes inactive. */
  sessionOver(): void {
    if (this.config.autostart) {
      this.#failure = this.session.failure;
      this.#isOver();
      return;
    }
    this.#logFailure();
    void this.life.command('deactivate');
  }

  #went(transition: LifecycleTransition): void {
    const { from, to, label } = transition;
    const level = this.config.autostart ? 'debug' : 'info';
    this.log[level]({ from, to, transition: label }, `the node is ${to}`);
    if (label === 'transition_failure' && !this.config.autostart) this.#logFailure();
    this.#onTransition(transition);
    // The caller of the end is answered first.
    if (to === 'finalized') setImmediate(this.#isOver);
  }

  #failed(fault: unknown): void {
    this.onFault(fault);
    this.#failure = fault;
    this.#isOver();
  }

  #logFailure(): void {
    const { failure } = this.session;
    if (failure !== undefined) this.log.error({ code: failure.code }, failure.message);
  }
}
