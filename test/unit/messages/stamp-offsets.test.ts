import { expect, it } from 'vitest';
import {
  commandStampOffsets,
  encodeStartSignal,
  middlewareStatusStampOffset,
  startSignalTimeOffset,
  topics,
  trajectoryTimeOffset,
} from '../../../src/messages/index.js';

const header = {
  create_stamp: { nanoseconds: 0x1111_2222_3333_4444n },
  valid_after_stamp: { nanoseconds: 0x5555_6666_7777_8888n },
};
const base = { vehicle_id: 7, header };
const point = (ns: bigint) => ({ t: { nanoseconds: ns }, px: 1, py: 2, vx: 3, vy: 4 });

function timeAt(bytes: Uint8Array, offset: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(offset, true);
}

it.each([
  topics.vehicleCommandDirect.codec.encode({ ...base, motor_throttle: 0, steering_servo: 0 }),
  topics.vehicleCommandSpeedCurvature.codec.encode({ ...base, speed: 1, curvature: 0 }),
  topics.vehicleCommandTrajectory.codec.encode({ ...base, trajectory_points: [] }),
  topics.vehicleCommandPathTracking.codec.encode({ ...base, path: [], speed: 1 }),
])('the stamps of every command stand where they are looked for', (bytes) => {
  expect(timeAt(bytes, commandStampOffsets.create)).toBe(header.create_stamp.nanoseconds);
  expect(timeAt(bytes, commandStampOffsets.validAfter)).toBe(header.valid_after_stamp.nanoseconds);
});

it('the times of a trajectory stand where they are looked for', () => {
  const times = [0x0102_0304_0506_0708n, 2n ** 63n, 3n];
  const trajectory_points = times.map(point);
  const bytes = topics.vehicleCommandTrajectory.codec.encode({ ...base, trajectory_points });
  expect(times.map((_, i) => timeAt(bytes, trajectoryTimeOffset(i)))).toEqual(times);
});

it('the time of a start signal stands where it is looked for', () => {
  const bytes = encodeStartSignal({
    t_now: 0x0102_0304_0506_0708n,
    period_ms: 50n,
    state_list: [],
    vehicle_observation_list: [],
    active_vehicle_ids: [],
  });
  expect(timeAt(bytes, startSignalTimeOffset)).toBe(0x0102_0304_0506_0708n);
});

it('the time of a status stands where it is looked for', () => {
  const { codec } = topics.middlewareStatus;
  const stamp = { nanoseconds: 0x0102_0304_0506_0708n };
  const bytes = codec.encode({ ...codec.zero(), source_id: 'middleware', stamp });
  expect(timeAt(bytes, middlewareStatusStampOffset)).toBe(stamp.nanoseconds);
});
