import type { SendStartSignal, WorldEntry } from '../core/index.js';
import {
  VehicleObservationCodec,
  VehicleStateCodec,
  type VehicleObservation,
  type VehicleState,
  type VehicleStateList,
} from '../messages/index.js';

const nsPerMs = 1_000_000n;

/**
 * The message that opens a period.
 * @param absent what an active vehicle without a valid state becomes: nothing, or an entry of
 *   zeros (CPM Lab middleware)
 */
export function startSignalMessage(
  signal: SendStartSignal<VehicleState, VehicleObservation>,
  absent: 'omit' | 'default',
): VehicleStateList {
  return {
    t_now: signal.tNowNs,
    period_ms: signal.periodNs / nsPerMs,
    state_list: payloads(signal.states, absent, () => VehicleStateCodec.zero()),
    vehicle_observation_list: payloads(signal.observations, absent, () =>
      VehicleObservationCodec.zero(),
    ),
    active_vehicle_ids: [...signal.activeVehicleIds],
  };
}

function payloads<T>(
  entries: readonly WorldEntry<T>[],
  absent: 'omit' | 'default',
  zero: () => T,
): T[] {
  return entries.flatMap((entry) => {
    if (entry.present) return [entry.payload];
    return absent === 'default' ? [zero()] : [];
  });
}
