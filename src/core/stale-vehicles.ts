import { later, nsPerS } from './time.js';
import type { WorldEntry } from './world.js';

/** A vehicle whose newest state is old, or is not any more. */
export interface StalenessChange {
  readonly vehicleId: number;
  readonly stale: boolean;
  /** Age of its newest state, ns. */
  readonly ageNs: bigint;
}

/** A state is stale after this many periods, at least. */
const leastPeriods = 3n;

/**
 * Which vehicles have fallen silent: their newest state is a second old, or three periods when these
 * are longer. Such a vehicle stays listed in start signals, with the stamps that its state has; a
 * vehicle that never spoke is absent and not stale.
 */
export class StaleVehicles {
  readonly #stale = new Set<number>();

  /** The vehicles that are stale now, in no order. */
  get ids(): ReadonlySet<number> {
    return this.#stale;
  }

  /** Looks at the vehicles of a start signal; gives the changes since the one before. */
  look(states: readonly WorldEntry<unknown>[], periodNs: bigint): StalenessChange[] {
    const limitNs = later(nsPerS, leastPeriods * periodNs);
    const changes: StalenessChange[] = [];
    for (const entry of states) {
      if (!entry.present) continue;
      const { vehicleId, ageNs } = entry;
      const stale = ageNs > limitNs;
      if (stale === this.#stale.has(vehicleId)) continue;
      if (stale) this.#stale.add(vehicleId);
      else this.#stale.delete(vehicleId);
      changes.push({ vehicleId, stale, ageNs });
    }
    return changes;
  }
}
