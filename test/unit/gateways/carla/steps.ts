import { fromBinary } from '@bufbuild/protobuf';

import type { Step } from '../../../../src/controller/index.js';
import {
  MeasurementsSchema,
  type Measurements,
} from '../../../../src/gateways/generated/carla_pb.js';

/** The size of a vehicle, metres. */
export const vehicleSize = { length: 4, width: 2, height: 1 };

/** The step that begins at this time, without vehicles. */
export function stepAt(tNowMs: number): Step {
  return {
    tNowNs: BigInt(tNowMs) * 1_000_000n,
    periodNs: 50_000_000n,
    vehicles: new Map(),
    observations: new Map(),
    activeVehicleIds: [],
    signal: new AbortController().signal,
  };
}

/** The Measurements that a frame has after its length. */
export function measurementsOf(content: Uint8Array): Measurements {
  return fromBinary(MeasurementsSchema, content);
}
