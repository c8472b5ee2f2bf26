import { nsPerMs, type StartSignal, type WorldEntry } from '../../core/index.js';
import {
  encodeStartSignal,
  nestedSamples,
  VehicleObservationCodec,
  VehicleStateCodec,
  type Codec,
  type NestedSample,
} from '../../messages/index.js';

const zeroState = zeroSample(VehicleStateCodec);
const zeroObservation = zeroSample(VehicleObservationCodec);

/**
 * The sample that opens a period, valid until the next start signal is encoded.
 * @param absent what an active vehicle without a valid state becomes: nothing, or an entry of
 *   zeros (CPM Lab middleware)
 */
export function startSignalSample(
  signal: StartSignal<NestedSample, NestedSample>,
  absent: 'omit' | 'default',
): Uint8Array {
  return encodeStartSignal({
    t_now: signal.tNowNs,
    period_ms: signal.periodNs / nsPerMs,
    state_list: samples(signal.states, absent, zeroState),
    vehicle_observation_list: samples(signal.observations, absent, zeroObservation),
    active_vehicle_ids: signal.activeVehicleIds,
  });
}

function samples(
  entries: readonly WorldEntry<NestedSample>[],
  absent: 'omit' | 'default',
  zero: NestedSample,
): NestedSample[] {
  const list: NestedSample[] = [];
  for (const entry of entries) {
    if (entry.present) list.push(entry.payload);
    else if (absent === 'default') list.push(zero);
  }
  return list;
}

function zeroSample<T>(codec: Codec<T>): NestedSample {
  const zero = codec.zero();
  return nestedSamples(codec)(zero, codec.encode(zero));
}
