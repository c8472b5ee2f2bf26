import { sharedWriter } from './cdr-writer.js';
import type { VehicleStateList } from './generated/index.js';
import { writeNestedSamples, type NestedSample } from './nested-sample.js';

/** A start signal whose lists are made of samples as they came. */
export interface StartSignal extends Omit<
  VehicleStateList,
  'state_list' | 'vehicle_observation_list' | 'active_vehicle_ids'
> {
  readonly state_list: readonly NestedSample[];
  readonly vehicle_observation_list: readonly NestedSample[];
  readonly active_vehicle_ids: readonly number[];
}

/**
 * Encodes a start signal as the codec of `VehicleStateList` does, without decoding what is only
 * passed on.
 * @returns a sample that is valid until the next one of any type is encoded.
 */
export function encodeStartSignal(signal: StartSignal): Uint8Array {
  const w = sharedWriter.begin();
  w.uint64(signal.t_now, 'VehicleStateList.t_now');
  w.uint64(signal.period_ms, 'VehicleStateList.period_ms');
  writeNestedSamples(w, signal.state_list);
  writeNestedSamples(w, signal.vehicle_observation_list);
  w.sequenceLength(signal.active_vehicle_ids, 'VehicleStateList.active_vehicle_ids');
  for (const id of signal.active_vehicle_ids) w.int32(id, 'VehicleStateList.active_vehicle_ids');
  return w.finishShared();
}
