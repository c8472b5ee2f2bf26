import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cmakeBuild } from '../../tools/build-native.mjs';
import { root } from '../../tools/paths.mjs';
import { openDancersLab, type AgentLine, type DancersLab } from '../support/dancers-lab.js';
import { pythonPhysics, runInDancersLab, type PhysicsOptions } from '../support/dancers-run.js';
import { startPeer, type GatewayClient } from '../support/gateway-program.js';
import { skipWithout } from '../support/skip-without.js';

const folder = 'build/interop/dancers';
const buildMs = 300_000;
const needed = {
  'libprotobuf-dev': '/usr/include/google/protobuf/message.h',
  'zlib1g-dev': '/usr/include/zlib.h',
  'protobuf-compiler': '/usr/bin/protoc',
};
const missing = Object.entries(needed).find(([, file]) => !existsSync(file))?.[0];

function cppPhysics({ addresses }: DancersLab, { agents, step }: PhysicsOptions) {
  const places = Object.entries(agents).map(([agent, [x, y]]) => `${agent}:${x},${y}`);
  const address = [addresses.physics].flat().join(':');
  const program = path.join(root, folder, 'physics-side');
  return startPeer<AgentLine>('physics-side', program, [address, String(step), ...places]);
}

type StartPhysics = (lab: DancersLab, options: PhysicsOptions) => GatewayClient<AgentLine>;

/** Two agents on curves of their own. @returns all that each side received. */
async function runAlone(startPhysics: StartPhysics, sockets: 'uds' | 'tcp') {
  const dancersLab = await openDancersLab({ simulation_length: 20 }, sockets);
  const gateway = dancersLab.startGateway();
  const agents = { 3: [0.1, -0.2], 7: [1, 0] } as const;
  const physics = startPhysics(dancersLab, { agents, step: 0.01 });
  const network = dancersLab.startWorld('pilot', { agents: Object.keys(agents).map(Number) });
  const ends = await Promise.all([gateway.ended, physics.program.ended, network.program.ended]);
  for (const end of ends) expect(end).toEqual({ code: 0, signal: null });
  return { velocities: physics.seen.items, poses: network.seen.items };
}

describe('a physics side of DANCERS in C++', () => {
  skipWithout(missing === undefined ? undefined : `${missing} is not installed`);

  // A process has DDS once, and a test one lab.
  let alone: Awaited<ReturnType<typeof runAlone>>;
  let inLab: Awaited<ReturnType<typeof runInDancersLab>>;

  beforeAll(() => {
    if (missing === undefined) cmakeBuild('test/interop/dancers', folder);
  }, buildMs);

  it('has a model in Python', async () => {
    alone = await runAlone(pythonPhysics, 'uds');
    // Each window but the first one hands over a payload in both directions.
    expect(alone.velocities).toHaveLength(199);
    expect(new Set(alone.poses.map((pose) => pose[3]?.[0])).size).toBe(199);
  });

  it.each(['uds', 'tcp'] as const)(
    'over %s: makes the run of its model, bit by bit',
    async (sockets) => {
      expect(await runAlone(cppPhysics, sockets)).toEqual(alone);
    },
  );

  it('has a model in Python in a lab', async () => {
    inLab = await runInDancersLab();
    expect(inLab.starts).toHaveLength(20);
  });

  it('in a lab: makes the run of its model, bit by bit', async () => {
    expect(await runInDancersLab({ startPhysics: cppPhysics })).toEqual(inLab);
  });
});
