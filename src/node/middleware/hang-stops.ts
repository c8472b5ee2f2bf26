import type { HangStop } from '../../dds/index.js';
import type { NodeEvent } from '../observers/session-observer.js';

/** Within this time the stops of a guard have been read that it made during a hang, ms. */
const guardMs = 100;
/** The session is given no time for this long, ms: until it knows of the stop. */
const heldMs = 150;

/** What {@link HangStops} needs. */
export interface HangStopsOptions {
  /** True while a guard is there. */
  readonly isGuarded: () => boolean;
  /** Gives the session no time for this long, ms: it would stop the vehicles in its own way. */
  readonly holdSession: (ms: number) => void;
  /** Gives the session a stop of all vehicles with this cause. */
  readonly stopAll: (cause: Extract<NodeEvent, { kind: 'vehiclesStopped' }>['cause']) => void;
}

/**
 * Gives the session the stop that the pacer made in a hang of this thread. That may have left out vehicles
 * that follow a trajectory. A guard has stopped these if the hang took long enough, and its stop must not be
 * outranked by a place on the plan: so the session gets the stop once the status of the guard can have arrived.
 */
export class HangStops {
  readonly #options: HangStopsOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HangStopsOptions) {
    this.#options = options;
  }

  /** True while the guard is waited for: nothing that comes from the controllers may reach the session. */
  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  sent({ isComplete }: Pick<HangStop, 'isComplete'>): void {
    const { isGuarded, stopAll, holdSession } = this.#options;
    if (isComplete) stopAll('stalled');
    else if (!isGuarded()) stopAll('stalledOnPlan');
    else {
      holdSession(heldMs);
      // The guard may have acted in this hang, after one just before.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        stopAll('stalledOnPlan');
      }, guardMs);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
