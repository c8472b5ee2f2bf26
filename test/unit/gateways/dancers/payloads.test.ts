import { create, toBinary } from '@bufbuild/protobuf';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  decodeNeighbors,
  decodePoses,
  decodeVelocities,
  encodePoses,
  encodeVelocities,
} from '../../../../src/gateways/dancers/protocol/payloads.js';
import {
  OrderedNeighborsListSchema,
  PoseVectorSchema,
} from '../../../../src/gateways/generated/dancers_pb.js';
import { Refusal } from '../../../../src/gateways/refusal.js';

const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true });

function poseVector(pose: object): Uint8Array {
  return gzipSync(toBinary(PoseVectorSchema, create(PoseVectorSchema, { pose: [pose] })));
}

describe('the poses of a physics side', () => {
  it('come back with yaw and signed speed', () => {
    const pose = fc.record({
      agentId: fc.nat(4095),
      x: coordinate,
      y: coordinate,
      yaw: fc.double({ min: -3.1, max: 3.1, noNaN: true }),
      speed: fc.double({ min: -50, max: 50, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(pose, { maxLength: 8 }), (poses) => {
        const back = decodePoses(encodePoses(poses));
        expect(back).toHaveLength(poses.length);
        for (const [index, one] of back.entries()) {
          const { agentId, x, y, yaw = NaN, speed = NaN } = poses[index] ?? {};
          expect([one.agentId, one.x, one.y]).toEqual([agentId, x, y]);
          expect(one.yaw).toBeCloseTo(yaw, 9);
          expect(one.speed).toBeCloseTo(speed, 9);
        }
      }),
    );
  });

  it('have the yaw of a quaternion that is tilted, too', () => {
    // Turned by 90° to the left, then tilted by 30° around its own x axis.
    const [cz, cx, sx] = [Math.SQRT1_2, Math.cos(Math.PI / 12), Math.sin(Math.PI / 12)];
    const tilted = { qw: cz * cx, qx: cz * sx, qy: cz * sx, qz: cz * cx, vy: -2 };
    const [pose] = decodePoses(poseVector(tilted));
    expect(pose?.yaw).toBeCloseTo(Math.PI / 2, 9);
    expect(pose?.speed).toBeCloseTo(-2, 9);
  });

  it.each([
    ['a number that is not finite', { x: NaN }],
    ['numbers whose products are not finite', { qw: 1e300, qz: 1e300, qx: 1e300, qy: -1e300 }],
  ])('are refused with %s', (_, pose) => {
    expect(() => decodePoses(poseVector(pose))).toThrow(Refusal);
  });
});

describe('the neighbours of a network side', () => {
  const list = (agent: object) =>
    toBinary(
      OrderedNeighborsListSchema,
      create(OrderedNeighborsListSchema, { orderedNeighbors: [agent] }),
    );

  it('have quality, age and role by their place in the lists', () => {
    const bytes = list({
      agentId: 3,
      role: 1,
      neighborId: [7, 1],
      linkQuality: [0.5],
      timeVal: [250, 4_000_000_000],
      neighborType: [3],
    });
    expect(decodeNeighbors(gzipSync(bytes))).toEqual([
      {
        agentId: 3,
        role: 'mission',
        neighbors: [
          { agentId: 7, role: 'idle', linkQuality: 0.5, ageUs: 250 },
          { agentId: 1, role: 'undefined', linkQuality: 0, ageUs: 4_000_000_000 },
        ],
      },
    ]);
  });

  it('are the same in lists that are not packed', () => {
    // ordered_neighbors { agentId: 3, neighborId: 7, neighborId: 1, linkQuality: 1.0 }
    const bytes = Buffer.from('0a0f08031807180121000000000000f03f', 'hex');
    const [agent] = decodeNeighbors(gzipSync(bytes));
    expect(agent?.neighbors.map(({ agentId, linkQuality }) => [agentId, linkQuality])).toEqual([
      [7, 1],
      [1, 0],
    ]);
  });

  it('are refused with a link quality that is not finite', () => {
    const bytes = list({ agentId: 3, neighborId: [7], linkQuality: [Infinity] });
    expect(() => decodeNeighbors(gzipSync(bytes))).toThrow(/not finite/);
  });

  it('are refused with more than 4096 of an agent', () => {
    const bytes = list({ agentId: 3, neighborId: new Array<number>(4097).fill(1) });
    expect(() => decodeNeighbors(gzipSync(bytes))).toThrow(/more than 4096/);
  });

  it('are none in an empty payload', () => {
    expect(decodeNeighbors(new Uint8Array())).toEqual([]);
  });
});

describe('wanted velocities', () => {
  it('come back from their payload', () => {
    const velocity = fc.record({
      agentId: fc.nat(4095),
      vx: coordinate,
      vy: coordinate,
      heading: coordinate,
    });
    fc.assert(
      fc.property(fc.array(velocity, { maxLength: 8 }), (velocities) => {
        expect(decodeVelocities(encodeVelocities(velocities))).toEqual(velocities);
      }),
    );
  });

  it('are refused with a number that is not finite', () => {
    const bytes = Buffer.concat([Buffer.from('0a0911', 'hex'), Buffer.alloc(8, 0xff)]);
    expect(() => decodeVelocities(gzipSync(bytes))).toThrow(Refusal);
  });
});

describe('a payload that is short as gzip and holds millions', () => {
  const millions = (bytes: readonly number[]) =>
    gzipSync(Buffer.alloc(12_000_000, Uint8Array.from(bytes)));

  it('of a thousand agents that all hear each other is none of these', () => {
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    const one = (agentId: number) => ({
      agentId,
      neighborId: ids.filter((id) => id !== agentId),
      linkQuality: ids.slice(1).map(() => -60.5),
      timeVal: ids.slice(1).map(() => 100_000),
      neighborType: ids.slice(1).map(() => 1),
    });
    const list = create(OrderedNeighborsListSchema, { orderedNeighbors: ids.map(one) });
    const payload = gzipSync(toBinary(OrderedNeighborsListSchema, list));
    expect(decodeNeighbors(payload)).toHaveLength(1000);
  });

  it('of empty poses is refused before any is made', () => {
    expect(() => decodePoses(millions([0x0a, 0]))).toThrow(Refusal);
  });

  it('of fields that nobody knows is refused', () => {
    expect(() => decodePoses(millions([0x78, 1]))).toThrow(Refusal);
  });

  it('of numbers in one list is refused', () => {
    const ids = Buffer.alloc(5_000_000, 1);
    const list = Buffer.concat([Buffer.from([0x1a, 0xc0, 0x96, 0xb1, 0x02]), ids]);
    const bytes = Buffer.concat([Buffer.from([0x0a, 0xc5, 0x96, 0xb1, 0x02]), list]);
    expect(() => decodeNeighbors(gzipSync(bytes))).toThrow(Refusal);
  });
});
