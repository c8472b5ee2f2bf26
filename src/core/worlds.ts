import type { StartSignal } from './effects.js';
import { type VehicleSample, World } from './world.js';

/**
 * The two lists of a start signal: the newest state and the newest observation of every active
 * vehicle.
 * @typeParam S payload of states.
 * @typeParam O payload of observations.
 */
export class Worlds<S, O> {
  readonly #states: World<S>;
  readonly #observations: World<O>;
  #activeVehicleIds: readonly number[];

  constructor(activeVehicleIds: readonly number[]) {
    this.#states = new World(activeVehicleIds);
    this.#observations = new World(activeVehicleIds);
    this.#activeVehicleIds = activeVehicleIds;
  }

  /** Lists a further vehicle. */
  add(vehicleId: number): void {
    this.#states.add(vehicleId);
    this.#observations.add(vehicleId);
    if (!this.#activeVehicleIds.includes(vehicleId)) {
      this.#activeVehicleIds = [...this.#activeVehicleIds, vehicleId];
    }
  }

  /**
   * Takes in a state.
   * @param horizonNs no start signal of an earlier time will be made, ns.
   */
  putState(sample: VehicleSample<S>, horizonNs: bigint): void {
    this.#states.settle(horizonNs);
    this.#states.put(sample);
  }

  /**
   * Takes in an observation.
   * @param horizonNs no start signal of an earlier time will be made, ns.
   */
  putObservation(sample: VehicleSample<O>, horizonNs: bigint): void {
    this.#observations.settle(horizonNs);
    this.#observations.put(sample);
  }

  /** The start signal of a time, ns, with what is known now; changes nothing. */
  peek(tNowNs: bigint, periodNs: bigint): StartSignal<S, O> {
    return {
      tNowNs,
      periodNs,
      activeVehicleIds: this.#activeVehicleIds,
      states: this.#states.peek(tNowNs),
      observations: this.#observations.peek(tNowNs),
    };
  }

  /** No start signal of an earlier time than this will be made, ns. */
  settle(tNs: bigint): void {
    this.#states.settle(tNs);
    this.#observations.settle(tNs);
  }

  /** The wall clock stepped by this much, ns. */
  clockStepped(stepNs: bigint): void {
    this.#states.clockStepped(stepNs);
    this.#observations.clockStepped(stepNs);
  }
}
