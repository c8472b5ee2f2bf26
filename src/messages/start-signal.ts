import { CdrWriter } from './cdr-writer.js';
import type { VehicleStateList } from './generated/index.js';
import { NestedSampleList, type NestedSample } from './nested-sample.js';

/** A start signal whose lists are made of samples as they came. */
export interface StartSignal extends Omit<
  VehicleStateList,
  'state_list' | 'vehicle_observation_list' | 'active_vehicle_ids'
> {
  readonly state_list: readonly NestedSample[];
  readonly vehicle_observation_list: readonly NestedSample[];
  readonly active_vehicle_ids: readonly number[];
}

const writer = new CdrWriter();
const states = new NestedSampleList();
const observations = new NestedSampleList();

/**
 * Encodes a start signal as the codec of `VehicleStateList` does, without decoding what is only
 * passed on.
 * @returns a sample that is valid until the next start signal is encoded.
 */
export function encodeStartSignal(signal: StartSignal): Uint8Array {
  const w = writer.begin();
  w.uint64(signal.t_now, 'VehicleStateList.t_now');
  w.uint64(signal.period_ms, 'VehicleStateList.period_ms');
  states.write(w, signal.state_list);
  observations.write(w, signal.vehicle_observation_list);
  w.sequenceLength(signal.active_vehicle_ids, 'VehicleStateList.active_vehicle_ids');
  for (const id of signal.active_vehicle_ids) w.int32(id, 'VehicleStateList.active_vehicle_ids');
  return w.finishShared();
}
