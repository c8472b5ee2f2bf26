import { toS, type VehicleStopped } from '../../core/index.js';
import type { Logger } from '../logger.js';

/** Logs the end of the stop of a vehicle. */
export function logVehicleStopped(log: Logger, { id, outcome, afterNs }: VehicleStopped): void {
  log.warn(
    { vehicle: id, outcome, after_s: toS(afterNs) },
    outcome === 'atRest'
      ? `vehicle ${id} stands`
      : `no state from vehicle ${id}; stop commands to it end`,
  );
}
