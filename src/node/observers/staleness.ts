import { StaleVehicles, type StalenessChange } from '../../core/index.js';
import type { NodeEffect, SessionObserver } from './session-observer.js';

/** Finds the vehicles in start signals that send no states any more. */
export class StalenessObserver implements SessionObserver {
  readonly name = 'staleness';
  #stale = new StaleVehicles();

  /**
   * @param onChange a vehicle became stale, or is not any more.
   * @param onStale a start signal lists a stale state of this vehicle.
   */
  constructor(
    private readonly onChange: (change: StalenessChange) => void,
    private readonly onStale: (vehicleId: number) => void,
  ) {}

  effect(effect: NodeEffect): void {
    if (effect.kind === 'ended') this.#stale = new StaleVehicles();
    if (effect.kind !== 'sendStartSignal' && effect.kind !== 'startSignalSent') return;
    for (const change of this.#stale.look(effect.states, effect.periodNs)) this.onChange(change);
    for (const id of this.#stale.ids) this.onStale(id);
  }
}
