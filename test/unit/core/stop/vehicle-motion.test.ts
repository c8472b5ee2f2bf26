import { expect, it } from 'vitest';
import { VehicleMotion } from '../../../../src/core/stop/vehicle-motion.js';
import { MS, S } from '../support.js';
import { T0 } from './motion-arbitraries.js';

it('says where a vehicle is whose states waited while the process was suspended', () => {
  // Each of these kept states is the first one after the suspension.
  for (let firstMs = 1000n; firstMs < 2500n; firstMs += 20n) {
    const motion = new VehicleMotion(50n * MS);
    // At 1 m/s.
    const observe = (createdNs: bigint, receivedNs: bigint) => {
      const pose = { x: Number(createdNs) / 1e9, y: 0, yaw: 0 };
      const at = { steadyNs: receivedNs, stampNs: T0 + receivedNs };
      motion.observe({ speedMps: 1, pose, createStampNs: T0 + createdNs }, at);
    };
    for (let ns = 20n * MS; ns <= S; ns += 20n * MS) observe(ns, ns);
    for (let ns = firstMs * MS; ns <= 2500n * MS; ns += 20n * MS) observe(ns, 2500n * MS);
    expect(motion.reliableSighting(2500n * MS)?.pose.x, `${firstMs} ms`).toBe(2.5);
  }
});
