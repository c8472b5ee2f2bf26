import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ChildProgram } from '../support/child-program.js';
import { loopbackUri } from '../support/loopback-uri.js';
import { cliProgram, Middleware } from '../support/middleware.js';
import { remoteAgentLists } from '../support/remote-agent-lists.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { buildNode, missingForNode, openNetwork, synchronoNode } from './synchrono-node.js';

/** A heartbeat as a node prints it; an agent has its key, time, x, y, yaw and speed. */
interface NodeLine {
  readonly joined?: number;
  readonly described?: string;
  readonly beat?: number;
  readonly agents?: readonly [string, number, number, number, number, number][];
  readonly heartbeats?: number;
  readonly over?: boolean;
}

/** Programs in a network of their own. */
function openPrograms() {
  const through = openNetwork();
  if (typeof through === 'string') return through;
  const [ip = '', ...first] = through;
  const uri = loopbackUri('');
  const start = (name: string, ...command: string[]) =>
    new ChildProgram(name, ip, [...first, ...command], uri);
  return {
    through,
    uri,
    command: (...args: string[]) => start(args.join(' '), process.execPath, cliProgram, ...args),
    node: (...flags: string[]) => start('node of SynChrono', path.resolve(synchronoNode), ...flags),
  };
}

/** How a program ended, and what it wrote about it. */
async function endOf(program: ChildProgram) {
  return { ...(await program.ended), stderr: program.stderr.items };
}

const wellEnded = { code: 0, signal: null, stderr: [] };

const linesOf = ({ stdout }: ChildProgram) =>
  stdout.items.map((line) => JSON.parse(line) as NodeLine);

describe('SynChrono nodes on Fast DDS', () => {
  skipWithout(missingForNode);
  beforeAll(() => {
    if (missingForNode === undefined) buildNode();
  }, 600_000);

  it('see the vehicles of the lab, and their agents are in its start signals', async ({ skip }) => {
    const network = openPrograms();
    if (typeof network === 'string') return skip(network);
    network.command('fleet', '--vehicle-ids=1');
    network.command('drive', '--vehicle-ids=1');
    const socket = path.join(temporaryFolder(), 'a.sock');
    const gateway = network.command(
      ...['gateway', 'synchrono', '--node=3', '--peers=2', '--vehicle-ids=1'],
      '--map=1.2:100,2.1:101',
    );
    await gateway.stderr.until((line) => line.startsWith('node 3 waits for 2 other nodes'));
    const first = network.node('--node=1', '--peers=2', '--agents=2', '--heartbeats=400');
    const second = network.node('--node=2', '--peers=2', '--kind=tracked', '--heartbeats=100000');
    await gateway.stderr.until((line) => line === 'the simulation of 3 nodes begins');
    const middleware = new Middleware(
      network.uri,
      [
        ...['--vehicle-ids=1', '--active-vehicle-ids=1,100,101', '--period-ms=50'],
        `--control-socket=${socket}`,
      ],
      { through: network.through },
    );
    await middleware.untilLogged('waiting for controllers');
    const lists = await remoteAgentLists(socket);
    const wheeled = { kind: 'wheeled', parts: { wheels: 4 } };
    const trackParts = { track_shoes: 126, sprockets: 2, idlers: 2, road_wheels: 10 };
    expect(
      await lists.until((agents) => agents.every(({ state }) => state !== null)),
    ).toMatchObject([
      { node: 1, agent: 1, vehicle_id: null, ...wheeled },
      { node: 1, agent: 2, vehicle_id: 100, ...wheeled },
      { node: 2, agent: 1, vehicle_id: 101, kind: 'tracked', parts: trackParts },
    ]);
    expect(await endOf(first)).toEqual(wellEnded);
    expect(await endOf(second)).toEqual(wellEnded);
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    await lists.until((agents) => agents.length === 0);
    middleware.signal('SIGINT');
    await middleware.ended;

    expect(gateway.stderr.items).toEqual(
      expect.arrayContaining([
        'agent 1.2 (wheeled: 4 wheels, hmmwv.obj) is vehicle 100',
        'agent 2.1 (tracked: 126 track_shoes, 2 sprockets, 2 idlers, 10 road_wheels, m113.obj) is vehicle 101',
        'node 1 ends the simulation',
        'agent 2.1 is gone',
      ]),
    );
    const lines = linesOf(first);
    expect(lines[0]).toEqual({ joined: 2 });
    expect(lines).toContainEqual({ described: '3.1', wheels: 4, chassis: '', wheel: '', tire: '' });
    const beats = lines.filter(({ beat }) => beat !== undefined);
    expect(beats.map(({ beat }) => beat)).toEqual(Array.from({ length: 400 }, (_, beat) => beat));
    // Each heartbeat has the state of the lab for this heartbeat: none is early, late or lost.
    const ofLab = beats.map(({ agents }) => agents?.find(([key]) => key === '3.1'));
    for (const [beat, state] of ofLab.entries()) expect(state?.[1]).toBeCloseTo(beat * 0.01, 9);
    expect(new Set(ofLab.map((state) => state?.[2])).size).toBeGreaterThan(20);
    expect(linesOf(second).at(-1)).toMatchObject({ over: true });

    const { vehicles } = middleware.summary();
    // Agents of node 1 drive at 1 m/s, those of node 2 at 2 m/s; the run takes 4 s.
    expect(vehicles[100]?.distance_m).toBeGreaterThan(0.5);
    expect(vehicles[101]?.distance_m).toBeGreaterThan(2 * (vehicles[100]?.distance_m ?? NaN) - 0.2);
  });

  it('end when the gateway ends, also on the domain of the lab', async ({ skip }) => {
    const network = openPrograms();
    if (typeof network === 'string') return skip(network);
    network.command('fleet', '--vehicle-ids=1');
    const gateway = network.command(
      'gateway',
      'synchrono',
      '--node=3',
      '--vehicle-ids=1',
      '--domain=0',
    );
    const node = network.node('--node=1', '--kind=copter', '--heartbeats=100000', '--domain=0');
    await node.stdout.until((line) => line.startsWith('{"beat":50,'));
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toEqual({ code: 143, signal: null });
    expect(await endOf(node)).toEqual(wellEnded);
    expect(linesOf(node).at(-1)).toMatchObject({ over: true });
    expect(gateway.stderr.items).toContain(
      'agent 1.1 (copter: 6 propellers, hexy.obj) is vehicle 100',
    );
  });

  it.for([
    ['wait', { code: 143, signal: null }, undefined],
    ['drop', { code: 0, signal: null }, 'no other node is left: the simulation ends'],
    ['halt', { code: 4, signal: null }, 'a node is missing: halt'],
  ] as const)(
    'hold time up to the time-out when they are killed; then "%s"',
    async ([policy, end, last], { skip }) => {
      const network = openPrograms();
      if (typeof network === 'string') return skip(network);
      network.command('fleet', '--vehicle-ids=1');
      const gateway = network.command(
        ...['gateway', 'synchrono', '--vehicle-ids=1', '--map=1.1:100'],
        ...['--node-timeout-ms=3000', `--node-timeout-policy=${policy}`],
      );
      const node = network.node('--heartbeats=100000');
      await node.stdout.until((line) => line.startsWith('{"beat":50,'));
      node.signal('SIGKILL');
      const killed = performance.now();
      // Its participant stays discovered for its lease of 20 s.
      await gateway.stderr.until((line) => {
        const [, beat, reaction] =
          /^heartbeat (\d+): no message of node 1 \((\w+)\)$/.exec(line) ?? [];
        return Number(beat) > 50 && reaction === policy;
      });
      expect(performance.now() - killed).toBeGreaterThan(2000);
      if (policy === 'wait') gateway.signal('SIGTERM');
      expect(await gateway.ended).toEqual(end);
      if (last !== undefined) expect(gateway.stderr.items).toContain(last);
    },
  );
});
