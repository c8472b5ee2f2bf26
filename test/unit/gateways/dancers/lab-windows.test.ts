import { describe, expect, it } from 'vitest';

import type { Command } from '../../../../src/core/index.js';
import { AgentIds } from '../../../../src/gateways/dancers/lab/agent-ids.js';
import { LabWindows } from '../../../../src/gateways/dancers/lab/lab-windows.js';
import { neighborListsOf } from '../../../../src/gateways/dancers/lab/neighbor-lists.js';
import {
  decodeVelocities,
  encodePoses,
  type AgentPose,
} from '../../../../src/gateways/dancers/protocol/payloads.js';
import type { SideName } from '../../../../src/gateways/dancers/side.js';
import type { VehicleMeasurement } from '../../../../src/sides/index.js';

const ids = new AgentIds([
  [0, 10],
  [7, 11],
]);
const pose = (agentId: number, x: number, speed = 0): AgentPose => ({
  agentId,
  x,
  y: 2,
  yaw: 0,
  speed,
});

/** A physics side that answers these poses, window by window, between 100 ms. */
function openWindows(
  windows: readonly (readonly AgentPose[])[],
  commands: 'none' | 'velocity' = 'none',
  command: Command | null = null,
) {
  const published: VehicleMeasurement[] = [];
  const logged: string[] = [];
  const received: Record<SideName, Uint8Array[]> = { physics: [], network: [] };
  const answers = windows.map(encodePoses);
  const lab = new LabWindows(
    {
      steps(side, payload) {
        received[side].push(payload);
        const answer = side === 'physics' ? answers[received.physics.length - 1] : undefined;
        return Promise.resolve(answer ?? new Uint8Array());
      },
    },
    {
      ids,
      windowS: 0.1,
      commands,
      commandFor: () => command,
      publish: (measurement) => published.push(measurement),
      report: () => undefined,
      log: (text) => logged.push(text),
    },
    (side, cause) => new Error(`${side}: ${cause}`),
  );
  return { lab, published, logged, received, answers };
}

describe('a window in a lab', () => {
  it('publishes its agents as vehicles, with the end of the window as stamp', async () => {
    const { lab, published, received, answers } = openWindows([
      [pose(0, 1), pose(3, 5)],
      [pose(0, 1.5, -0.5)],
    ]);
    await lab.window(100n);
    await lab.window(200n);
    expect(published).toMatchObject([
      {
        vehicleId: 10,
        pose: { x: 1, y: 2, yaw: 0 },
        speed: 0,
        createNs: 100n,
        validAfterNs: 100n,
        observation: null,
      },
      { vehicleId: 10, pose: { x: 1.5 }, speed: -0.5, odometer_distance: 0.5, createNs: 200n },
    ]);
    expect(received.network[1]).toBe(answers[0]);
  });

  it('begins on the network side before the commands for it are known, once', async () => {
    const { lab, received, answers } = openWindows([[pose(0, 1)], [pose(0, 2)]]);
    await lab.window(100n);
    lab.prepare();
    lab.prepare();
    expect(received.network).toHaveLength(2);
    expect(received.network[1]).toBe(answers[0]);
    expect(received.physics).toHaveLength(1);
    await lab.window(200n);
    expect(received.network).toHaveLength(2);
    expect(received.physics).toHaveLength(2);
  });

  it('names a side whose payload breaks a rule', async () => {
    const { lab } = openWindows([[{ ...pose(0, NaN) }]]);
    await expect(lab.window(100n)).rejects.toThrow('physics: its payload is refused:');
    // Both are finite, and the way between them is not.
    const far = openWindows([[pose(0, 1e308)], [pose(0, -1e308)]]);
    await far.lab.window(100n);
    await expect(far.lab.window(200n)).rejects.toThrow(
      'physics: the odometer of agent 0 is not finite',
    );
  });
});

describe('ids that do not fit', () => {
  async function warnings(...windows: (readonly AgentPose[])[]): Promise<string[]> {
    const { lab, logged } = openWindows(windows);
    for (const window of windows.keys()) await lab.window(BigInt(window + 1) * 100n);
    return logged;
  }

  it('are named once: agents that are no vehicles, and vehicles that no agent is', async () => {
    const wrong = [pose(7, 0), pose(8, 1), pose(9, 2)];
    expect(await warnings(wrong, wrong, wrong, wrong, wrong)).toEqual([
      'agents of the physics side without a vehicle in --ids: 8, 9; they are not in the lab',
      'pairs of --ids without a pose from the physics side in 3 windows: 0:10; these vehicles have no state',
    ]);
  });

  it('are shortened when they are many', async () => {
    const poses = Array.from({ length: 1000 }, (_, id) => pose(id, id));
    expect((await warnings(poses))[0]).toContain(
      '--ids: 1, 2, 3, 4, 5, 6, 8, 9, 10, 11 and 988 more',
    );
  });

  it('are not named when each vehicle has an agent within three windows', async () => {
    expect(await warnings([], [pose(0, 0)], [pose(7, 0)], [pose(0, 0)])).toEqual([]);
  });
});

describe('wanted velocities', () => {
  const speedCurvature = (speed: number, curvature: number): Command => {
    const header = {
      create_stamp: { nanoseconds: 0n },
      valid_after_stamp: { nanoseconds: 0n },
    };
    return { kind: 'speedCurvature', message: { vehicle_id: 10, header, speed, curvature } };
  };

  async function velocities(command: Command | null, speed = 0) {
    const { lab, received } = openWindows([[pose(0, 1, speed)], []], 'velocity', command);
    await lab.window(100_000_000n);
    expect(decodeVelocities(received.physics[0] ?? new Uint8Array())).toEqual([]);
    await lab.window(200_000_000n);
    return decodeVelocities(received.physics[1] ?? new Uint8Array())[0];
  }

  it('are those of the model car that obeys the command', async () => {
    const straight = await velocities(speedCurvature(0.5, 0));
    expect(straight).toMatchObject({ agentId: 0, vy: 0, heading: 0 });
    expect(straight?.vx).toBeGreaterThan(0.2);
    const left = await velocities(speedCurvature(0.5, 2), 0.5);
    expect(left?.heading).toBeGreaterThan(0.01);
    expect(Math.atan2(left?.vy ?? NaN, left?.vx ?? NaN)).toBeCloseTo(left?.heading ?? NaN, 9);
    const back = await velocities(speedCurvature(-0.5, 0), -0.5);
    expect(back).toMatchObject({ vx: expect.closeTo(-0.5, 6) as unknown, heading: 0 });
  });

  it('brake a vehicle without a command', async () => {
    expect((await velocities(null, 0.1))?.vx).toBeCloseTo(0, 6);
  });
});

describe('neighbour lists', () => {
  it('have vehicle ids, and only vehicles', () => {
    const neighbor = (agentId: number) =>
      ({ agentId, role: 'idle', linkQuality: 0.5, ageUs: 3 }) as const;
    const agents = [
      { agentId: 7, role: 'mission', neighbors: [neighbor(5), neighbor(0)] },
      { agentId: 5, role: 'mission', neighbors: [neighbor(0)] },
    ] as const;
    expect(neighborListsOf(agents, ids, 4n)[1]).toEqual({
      vehicle_id: 11,
      t_now: 4n,
      role: 1,
      neighbors: [{ vehicle_id: 10, role: 3, link_quality: 0.5, age: 3000n }],
    });
  });

  it('are empty for vehicles that the network side does not report', () => {
    const empty = (id: number) => ({ vehicle_id: id, t_now: 4n, role: 0, neighbors: [] });
    const lists = neighborListsOf([{ agentId: 7, role: 'mission', neighbors: [] }], ids, 4n);
    expect(lists).toEqual([empty(10), { ...empty(11), role: 1 }]);
    expect(neighborListsOf([], ids, 4n)).toEqual([empty(10), empty(11)]);
  });
});
