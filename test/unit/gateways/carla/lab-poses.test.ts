import { expect, it } from 'vitest';
import { LabPoses } from '../../../../src/gateways/carla/lab-poses.js';
import { topics } from '../../../../src/messages/index.js';
import { InMemoryNetwork } from '../../../support/in-memory-transport.js';
import { peersOn, recordErrors } from '../../sides/sides.js';

it('gives the newest finite poses, and the origin for a vehicle without a state', async () => {
  const network = new InMemoryNetwork();
  const poses = new LabPoses(network.join(), recordErrors());
  const zero = topics.vehicleState.codec.zero();
  const state = (vehicle_id: number, x: number) => ({
    ...zero,
    vehicle_id,
    pose: { x, y: 2, yaw: 3 },
  });
  const sent = [state(1, 1), state(2, 2), state(2, 4), state(2, NaN), state(3, Infinity)];
  await peersOn(network).send(topics.vehicleState, ...sent);
  const unknown: number[] = [];
  expect(await poses.of([2, 1, 3], (ids) => unknown.push(...ids))).toEqual([
    { x: 4, y: 2, yaw: 3 },
    { x: 1, y: 2, yaw: 3 },
    { x: 0, y: 0, yaw: 0 },
  ]);
  expect(unknown).toEqual([3]);
});
