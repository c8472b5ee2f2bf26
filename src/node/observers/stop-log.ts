import { toS, type VehicleStopped } from '../../core/index.js';
import type { Logger } from '../logger.js';

/**
 * Logs the end of the stop of a vehicle. A vehicle without states may still move.
 * @param timeStands the end of a run in simulated time: vehicles neither move nor send states.
 */
export function logVehicleStopped(
  log: Logger,
  { id, outcome, afterNs }: VehicleStopped,
  timeStands = false,
): void {
  const details = { vehicle: id, outcome, after_s: toS(afterNs) };
  const isNormal = outcome === 'atRest' || timeStands;
  const text =
    outcome === 'atRest'
      ? `vehicle ${id} stands`
      : timeStands
        ? `vehicle ${id} got its stop commands; simulated time has ended, so it sends no further state`
        : `no state from vehicle ${id}; stop commands to it end`;
  if (isNormal) log.info(details, text);
  else log.warn(details, text);
}
