import { toS, type VehicleStopped } from '../../core/index.js';
import { namedIds } from '../../errors/index.js';
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

/** Logs that a vehicle no longer stands after its stop. */
export function logMovesAgain(log: Logger, id: number): void {
  log.warn({ vehicle: id }, `vehicle ${id} moves again in spite of its stop: it is stopped again`);
}

/** Logs the vehicles that may still move at the end of a run or of a guard; nothing when there are none. */
export function logStillMoving(log: Logger, ids: readonly number[]): void {
  if (ids.length === 0) return;
  log.error(
    { vehicles: ids },
    `${namedIds('vehicle', ids)} may still move: rest was not measured within --end-timeout-ms; check, and use the emergency stop of your lab`,
  );
}
