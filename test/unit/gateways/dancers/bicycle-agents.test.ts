import { describe, expect, it } from 'vitest';

import { BicycleAgents } from '../../../../src/gateways/dancers/physics/bicycle-agents.js';
import {
  decodePoses,
  encodeVelocities,
} from '../../../../src/gateways/dancers/protocol/payloads.js';
import { tracks } from '../../../../src/lab/index.js';

const none = new Uint8Array();

function open(input: 'track' | 'velocity') {
  return new BicycleAgents({
    vehicleIds: [1, 4],
    track: tracks.circle,
    input,
    stepUs: 50_000,
    windowUs: 100_000,
  });
}

function run(agents: BicycleAgents, steps: number, first: Uint8Array = none) {
  let payload = agents.step(first);
  for (let step = 1; step < steps; step++) payload = agents.step(none);
  return decodePoses(payload);
}

describe('the cars of the lab as agents', () => {
  it('stand until they receive a velocity', () => {
    const agents = open('velocity');
    const start = run(agents, 1);
    expect(start.map(({ agentId, speed }) => [agentId, speed])).toEqual([
      [1, 0],
      [4, 0],
    ]);
    expect(run(agents, 40)).toEqual(start);
  });

  it('keep the last velocity that they received, and turn to its heading', () => {
    const agents = open('velocity');
    const [before] = run(agents, 1);
    const heading = (before?.yaw ?? NaN) + 1;
    const wanted = { vx: 0.8 * Math.cos(heading), vy: 0.8 * Math.sin(heading), heading };
    const [one, four] = run(agents, 60, encodeVelocities([{ agentId: 1, ...wanted }]));
    expect(one?.speed).toBeCloseTo(0.8, 3);
    expect(Math.cos((one?.yaw ?? NaN) - heading)).toBeCloseTo(1, 3);
    expect(four?.speed).toBe(0);
  });

  it('drive backwards when the velocity is against the heading', () => {
    const agents = open('velocity');
    const [before] = run(agents, 1);
    const heading = before?.yaw ?? NaN;
    const wanted = { vx: -0.5 * Math.cos(heading), vy: -0.5 * Math.sin(heading), heading };
    const [one] = run(agents, 40, encodeVelocities([{ agentId: 1, ...wanted }]));
    expect(one?.speed).toBeCloseTo(-0.5, 3);
    expect(Math.cos((one?.yaw ?? NaN) - heading)).toBeCloseTo(1, 6);
  });

  it('name the way out when they receive no velocities', () => {
    expect(() => open('velocity').step(Buffer.from('neighbours'))).toThrow(
      /; add --physics-input=track here, or --lab --commands=velocity to the gateway$/,
    );
  });

  it('follow their track by themselves', () => {
    const poses = run(open('track'), 200, Buffer.from('not read'));
    for (const { x, y, yaw, speed } of poses) {
      expect(speed).toBeGreaterThan(0.3);
      const on = tracks.circle.poseAt(tracks.circle.placeOf({ x, y, yaw }));
      expect(Math.hypot(on.x - x, on.y - y)).toBeLessThan(0.1);
    }
  });
});
