import { forgetOldest } from '../forget-oldest.js';
import type { GuardStop, TakenOverStop } from './reports.js';

/** Stops that are remembered: one for each vehicle that there can be. */
const mostStops = 256;

/** The stops of guards that a middleware has taken over: each is taken over once. */
export class TakenOverStops {
  readonly #stops = new Map<string, TakenOverStop>();

  /**
   * @param guard epoch of the guard.
   * @param stops of vehicles of this middleware.
   * @returns those of them that were not taken over yet.
   */
  takeOver(guard: bigint, stops: readonly GuardStop[]): GuardStop[] {
    return stops.filter(({ id, number }) => {
      const key = `${guard} ${id}`;
      if (this.#stops.get(key)?.number === number) return false;
      this.#stops.delete(key);
      this.#stops.set(key, { guard, id, number });
      forgetOldest(this.#stops, mostStops);
      return true;
    });
  }

  /** All of them, the oldest first. */
  get all(): TakenOverStop[] {
    return [...this.#stops.values()];
  }
}
