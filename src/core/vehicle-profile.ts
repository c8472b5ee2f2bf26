import type { Command } from './command.js';

/** Which commands a vehicle obeys. */
export interface VehicleProfile {
  /**
   * The kinds of commands that the vehicle obeys. While it has commands of several kinds, an
   * earlier kind of this list outranks a later one.
   */
  readonly kinds: readonly Command['kind'][];
  /**
   * How long the vehicle obeys a command, ns, from its `valid_after_stamp` on; the vehicle stops
   * after it. Null: it obeys a command until the next one.
   */
  readonly timeoutNs: bigint | null;
}

/** The vehicle of the CPM Lab. */
export const cpmLabVehicle: VehicleProfile = {
  kinds: ['direct', 'speedCurvature', 'trajectory', 'pathTracking'],
  timeoutNs: 1_000_000_000n,
};
