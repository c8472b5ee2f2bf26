import { topics } from '../../src/messages/index.js';
import type { ScriptedVehicles } from '../support/scripted-vehicles.js';

/** The throttle of the newest commands for a vehicle. */
export function throttles(vehicles: ScriptedVehicles, id: number) {
  return vehicles.commands.items
    .filter(({ vehicleId, kind }) => vehicleId === id && kind === 'direct')
    .map(({ bytes, createNs, receivedAtNs }) => ({
      throttle: topics.vehicleCommandDirect.codec.decode(bytes).motor_throttle,
      createNs,
      receivedAtNs,
    }));
}
