import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { startCommand } from '../../support/gateway-program.js';
import type { RemoteAgentStatus } from '../../../src/remote/index.js';
import { runCli } from '../../support/cli.js';
import { remoteAgentLists } from '../../support/remote-agent-lists.js';
import { ScriptedNode } from '../../support/scripted-node.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

const gatewayNode = 3;

function startGateway(lab: TestLab, ...flags: string[]) {
  return startCommand(lab.uri, 'gateway', 'synchrono', `--node=${gatewayNode}`, ...flags);
}

/** A lab with vehicles 1 and 2, and a gateway that waits for their states. */
async function openSynchronoLab(...flags: string[]) {
  const lab = openTestLab();
  const states = new TopicRecorder(lab.join('lab'), topics.vehicleState);
  const gateway = startGateway(lab, '--vehicle-ids=1,2', ...flags);
  await gateway.stderr.until((line) => line.startsWith('the agents of node 3'));
  const vehicles = lab.vehicles();
  /** The newest state counts, and a writer that matches late has lost the ones before. */
  const drive = setInterval(() => {
    for (const id of [1, 2]) {
      vehicles.sendState({
        vehicle_id: id,
        pose: { x: id, y: 10 * id, yaw: 0 },
        speed: 0.5,
        steering_servo: -1,
      });
    }
  }, 20);
  await gateway.stderr.until((line) => line.startsWith('node 3 waits for'));
  clearInterval(drive);
  const ofPeers = () => states.samples.filter(({ vehicle_id: id }) => id >= 10);
  return { lab, gateway, states, ofPeers };
}

describe('a SynChrono node', () => {
  for (const simulated of [false, true]) {
    const time = simulated ? 'simulated' : 'real';
    it(`ends in ${time} time with the error when it cannot join the other nodes`, async () => {
      const lab = openTestLab();
      const withoutDomain = `${lab.uri},<CycloneDDS><Domain Id="40"><General><Interfaces>
        <NetworkInterface name="nowhere"/></Interfaces></General></Domain></CycloneDDS>`;
      const flags = ['--vehicle-ids=1', '--domain=40', `--simulated-time=${simulated}`];
      const gateway = startCommand(withoutDomain, 'gateway', 'synchrono', ...flags);
      await gateway.stderr.until((line) => line.startsWith('the agents of node 2'));
      if (simulated) startCommand(lab.uri, 'lab', '--simulated-time', '--participants=1');
      const vehicles = lab.vehicles();
      const drive = setInterval(() => vehicles.sendState({ vehicle_id: 1 }), 20);
      const { code } = await gateway.ended;
      clearInterval(drive);
      expect(code).toBe(1);
      expect(gateway.stderr.items.join('\n')).toContain('HLC_DDS_DOMAIN');
    });
  }

  it('has the lab as agents and is vehicles of the lab, in the order of the protocol', async () => {
    const { lab, gateway, states, ofPeers } = await openSynchronoLab(
      '--peers=2',
      '--map=1.1:10,2.1:11,2.7:12',
      '--chassis-vis-file=lab.obj',
    );
    const first = new ScriptedNode(lab, 1, [2, 3]);
    const second = new ScriptedNode(lab, 2, [1, 3], 2);
    await gateway.stderr.until((line) => line === 'node 2 is discovered');
    await gateway.stderr.until((line) => line === 'node 1 is discovered');
    first.describe({ agent: 1, parts: 6 });
    await gateway.stderr.until(
      (line) =>
        line === 'agent 1.1 (wheeled: 6 wheels, sedan.obj, rim.obj, tire.obj) is vehicle 10',
    );
    expect(first.ofType(gatewayNode, 'description')).toEqual([]);
    second.describe({ agent: 1 }, { agent: 2 });
    await gateway.stderr.until((line) => line.endsWith('has no vehicle id in --map'));
    await gateway.stderr.until((line) => line === 'the simulation of 3 nodes begins');
    const unused = 'no node has described these agents of --map: 2.7:12';
    await gateway.stderr.until((line) => line === unused);
    const description = await second.seen.until(({ node }) => node === gatewayNode);
    const described = { files: ['lab.obj', '', ''], json: '', numWheels: 4 };
    expect(description.messages).toMatchObject([
      { type: 'description', key: [3, 1], ...described },
      { type: 'description', key: [3, 2], ...described },
    ]);
    for (let beat = 0; beat < 20; beat++) {
      const time = beat * 0.01;
      first.state({ agent: 1, x: beat, y: 1, yaw: 0.5, speed: -2, time, parts: 6 });
      // A copy of the last state, and one with the states of the other node missing, do not count.
      if (beat === 5) first.state({ agent: 1, x: 99, time: 4 * 0.01, parts: 6 });
      second.state({ agent: 1, x: -beat, time }, { agent: 2, time });
      const { messages, afterSent } = await second.untilState(gatewayNode, beat);
      expect(afterSent).toBe(2 + beat);
      expect(messages).toMatchObject([
        { key: [3, 1], time: beat * 0.01, chassis: { pos: [1, 10, 0], velocity: [0.5, 0, 0] } },
        { key: [3, 2], time: beat * 0.01, chassis: { pos: [2, 20, 0] } },
      ]);
      const [wheel] = messages[0]?.wheels ?? [];
      expect(wheel?.pos.map((n) => Number(n.toFixed(9)))).toEqual([1.075, 10.05, 0]);
      const steering = 2 * Math.atan2(wheel?.rot[3] ?? 0, wheel?.rot[0] ?? 0);
      expect(steering).toBeCloseTo((-28 * Math.PI) / 180, 9);
    }
    await states.messages.until(
      ({ message }) => message.vehicle_id === 11 && message.pose.x === -19,
    );
    const of10 = ofPeers().filter(({ vehicle_id: id }) => id === 10);
    expect(of10.at(-1)).toMatchObject({ pose: { x: 19, y: 1 }, odometer_distance: 19 });
    expect(of10.at(-1)?.speed).toBeCloseTo(-2, 9);
    expect(of10.map(({ pose }) => pose.x)).not.toContain(99);
    first.quit();
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    const lines = gateway.stderr.items;
    expect(lines).toContain('node 1 ends the simulation');
    expect(lines).toContain('agent 1.1 is gone');
    expect(lines).toContain('agent 2.2 is gone');
    expect(lines.at(-1)).toMatch(/^heartbeats: 20; work per heartbeat: p50 \d/);
    await second.seen.until(({ node, messages }) => node === 3 && messages[0]?.type === 'quit');
  });

  it('is missing: time waits, and the gateway names it; a signal ends the simulation for all', async () => {
    const { lab, gateway } = await openSynchronoLab('--map=1.1:10', '--node-timeout-ms=200');
    const peer = new ScriptedNode(lab, 1, [3]);
    await gateway.stderr.until((line) => line === 'node 1 is discovered');
    await gateway.stderr.until((line) => line === 'heartbeat 0: no message of node 1 (wait)');
    peer.describe({ agent: 1 });
    await peer.seen.untilCount(1);
    peer.state({ agent: 1, time: 0 });
    await peer.untilState(3, 0);
    await gateway.stderr.until((line) => line === 'heartbeat 1: no message of node 1 (wait)');
    expect(peer.ofType(3, 'state')).toHaveLength(1);
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toEqual({ code: 143, signal: null });
    await peer.seen.until(({ messages }) => messages[0]?.type === 'quit');
  });

  it('is dropped by policy, and its vehicles send no states', async () => {
    const { lab, gateway, states, ofPeers } = await openSynchronoLab(
      '--peers=2',
      '--map=1.1:10,2.1:11',
      // The first node sends within this time, also on a busy machine.
      '--node-timeout-ms=2000',
      '--node-timeout-policy=drop',
    );
    const first = new ScriptedNode(lab, 1, [3]);
    const second = new ScriptedNode(lab, 2, [3]);
    first.describe({ agent: 1 });
    second.describe({ agent: 1 });
    await first.seen.untilCount(1);
    first.state({ agent: 1, time: 0 });
    second.state({ agent: 1, time: 0 });
    await first.untilState(3, 0);
    first.state({ agent: 1, time: 0.01, x: 5 });
    await gateway.stderr.until((line) => line.startsWith('node 2 is dropped'));
    await first.untilState(3, 1);
    expect(gateway.stderr.items).toContain('agent 2.1 is gone');
    await states.messages.until(({ message }) => message.pose.x === 5);
    expect(ofPeers().filter(({ vehicle_id: id }) => id === 11)).toHaveLength(1);
    first.close();
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.stderr.items).toContain('no other node is left: the simulation ends');
  });

  it('has the number of the gateway: the gateway says so', async () => {
    const { lab, gateway } = await openSynchronoLab('--map=1.1:10');
    new ScriptedNode(lab, 3, [3]);
    await gateway.stderr.until((line) => line.startsWith('another program is node 3, too'));
  });

  it('never comes: by policy the gateway ends, and not well', async () => {
    const { gateway } = await openSynchronoLab(
      ...['--map=1.1:10', '--join-timeout-ms=500', '--node-timeout-policy=drop'],
    );
    expect(await gateway.ended).toEqual({ code: 3, signal: null });
  });

  it('is not waited for while a vehicle of the lab sends no state: the gateway names that', async () => {
    const lab = openTestLab();
    const gateway = startGateway(lab, '--vehicle-ids=1,9', '--map=1.1:10');
    await gateway.stderr.until((line) =>
      /^no state of vehicle 1, 9 has come on DDS domain \d+; start it/.test(line),
    );
  });

  it('does not come or does not describe itself: by policy the simulation begins without it', async () => {
    const { lab, gateway } = await openSynchronoLab(
      ...['--peers=3', '--map=1.1:10', '--join-timeout-ms=4000', '--node-timeout-ms=1000'],
      '--node-timeout-policy=drop',
    );
    const first = new ScriptedNode(lab, 1, [3]);
    new ScriptedNode(lab, 2, [3]);
    first.describe({ agent: 1 });
    await gateway.stderr.until((line) =>
      /^1 of 3 other nodes are not discovered yet on domain \d+; .* \(drop\)$/.test(line),
    );
    await gateway.stderr.until((line) => line === 'node 2 is dropped: time goes on without it');
    await gateway.stderr.until((line) => line === 'the simulation of 2 nodes begins');
    first.state({ agent: 1, time: 0 });
    await first.untilState(3, 0);
    first.quit();
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
  });

  it('halts the run by policy, with exit code 4', async () => {
    const { lab, gateway } = await openSynchronoLab(
      '--map=1.1:10',
      '--node-timeout-ms=200',
      '--node-timeout-policy=halt',
    );
    const peer = new ScriptedNode(lab, 1, [3]);
    peer.describe({ agent: 1 });
    expect(await gateway.ended).toEqual({ code: 4, signal: null });
    await peer.seen.until(({ messages }) => messages[0]?.type === 'quit');
  });

  it('sends malformed buffers: they are refused and named, and the next good one counts', async () => {
    const { lab, gateway } = await openSynchronoLab('--map=1.1:10');
    const peer = new ScriptedNode(lab, 1, [3]);
    peer.describe({ agent: 1 });
    await peer.seen.untilCount(1);
    peer.sendData(new Uint8Array());
    peer.sendData(Uint8Array.of(255, 255, 255, 255, 1, 2, 3));
    peer.state({ agent: 1, time: 0, parts: 5 });
    peer.state({ agent: 2, time: 0 });
    peer.state({ agent: 1, time: 0, x: NaN });
    await gateway.stderr.until((line) => line.includes('(HLC_GATEWAY_BUFFER)'));
    peer.state({ agent: 1, time: 0.5 });
    await peer.untilState(3, 0);
    peer.quit();
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.stderr.items.at(-1)).toBe('refused connections and inputs: 5');
  });
});

/** The remote agents that a middleware of a lab gives to its observers, list by list. */
async function observedAgents(lab: TestLab) {
  const socket = path.join(temporaryFolder(), 'a.sock');
  const middleware = lab.startMiddleware(`--control-socket=${socket}`, '--period-ms=50');
  await middleware.untilLogged('waiting for controllers');
  const lists = await remoteAgentLists(socket);
  /** What `status --json` prints. */
  const status = async () => {
    const { output } = await runCli('status', '--json', `--control-socket=${socket}`);
    return JSON.parse(output.join('')) as { readonly remote_agents: readonly RemoteAgentStatus[] };
  };
  return { lists, status };
}

const keysOf = (agents: readonly RemoteAgentStatus[]) =>
  agents.map(({ node, agent }) => `${node}.${agent}`);

describe('an agent of another node', () => {
  it('is in the status and on the stream of observers with its parts, files and motion, until its node is dropped or quits', async () => {
    const { lab, gateway } = await openSynchronoLab(
      '--peers=2',
      '--map=1.1:10',
      '--node-timeout-policy=drop',
    );
    const { lists, status } = await observedAgents(lab);
    const first = new ScriptedNode(lab, 1, [3]);
    const second = new ScriptedNode(lab, 2, [3]);
    first.describe({ agent: 1, parts: 6 });
    second.describe({ agent: 1 });
    await first.seen.untilCount(1);
    const ofFirst = {
      source: 'synchrono_gateway_3',
      ...{ node: 1, agent: 1, kind: 'wheeled', vehicle_id: 10, parts: { wheels: 6 } },
      files: {
        chassis_vis_file: 'sedan.obj',
        wheel_vis_file: 'rim.obj',
        tire_vis_file: 'tire.obj',
      },
      state: null,
    };
    const ofSecond = { ...ofFirst, node: 2, vehicle_id: null, parts: { wheels: 4 } };
    expect(await lists.until(({ length }) => length === 2)).toEqual([ofFirst, ofSecond]);
    expect((await status()).remote_agents).toEqual([ofFirst, ofSecond]);
    for (const [beat, x] of [5, 7].entries()) {
      first.state({ agent: 1, time: beat, x, y: 1, speed: -2, parts: 6 });
      second.state({ agent: 1, time: beat, x: -x });
      await first.untilState(3, beat);
      const moved = await lists.until((agents) => agents[1]?.state?.x === -x);
      expect(moved[0]?.state).toEqual({ x, y: 1, yaw: 0, speed: -2 });
    }
    second.close();
    first.state({ agent: 1, time: 2, x: 8, parts: 6 });
    await gateway.stderr.until((line) => line.startsWith('node 2 is dropped'));
    await lists.until(([agent, ...others]) => agent?.state?.x === 8 && others.length === 0);
    expect(keysOf((await status()).remote_agents)).toEqual(['1.1']);
    first.quit();
    await gateway.ended;
    await lists.until(({ length }) => length === 0);
    expect((await status()).remote_agents).toEqual([]);
  });

  it('is gone when the gateway is killed', async () => {
    const { lab, gateway } = await openSynchronoLab('--map=1.1:10');
    const { lists, status } = await observedAgents(lab);
    const peer = new ScriptedNode(lab, 1, [3]);
    peer.describe({ agent: 1 });
    await lists.until(({ length }) => length === 1);
    gateway.signal('SIGKILL');
    await lists.until(({ length }) => length === 0);
    expect((await status()).remote_agents).toEqual([]);
  });
});

/** Heartbeats of 10 ms up to the last of 20 periods of 20 ms. */
const simulatedBeats = 39;

/**
 * A run of fleet, middleware, gateway and two nodes in simulated time: all that came of it.
 * @param order of the states of the two nodes in each heartbeat
 */
async function simulatedRun(order: readonly [number, number]) {
  const lab = openTestLab();
  const fleet = startCommand(lab.uri, 'fleet', '--vehicle-ids=1', '--simulated-time');
  await fleet.stderr.until((line) => line.startsWith('vehicle 1 in simulated time'));
  const gateway = startGateway(
    lab,
    '--simulated-time',
    '--vehicle-ids=1',
    '--peers=2',
    '--map=1.1:10,2.1:11',
  );
  // At the first step it joins, and time waits for the nodes.
  await gateway.stderr.until((line) => line.startsWith('node 3 waits for'));
  const signIns = new TopicRecorder(lab.join('lab'), topics.readyStatus);
  await signIns.untilMatched();
  const controller = lab.controller({ ids: [1] });
  const middleware = lab.startMiddleware(
    '--vehicle-ids=1',
    '--active-vehicle-ids=1,10,11',
    '--simulated-time',
    '--period-ms=20',
    '--periods=20',
  );
  controller.signIn();
  await signIns.messages.until(({ message }) => message.source_id === 'middleware');
  const first = new ScriptedNode(lab, 1, [3]);
  const second = new ScriptedNode(lab, 2, [3]);
  first.describe({ agent: 1 });
  second.describe({ agent: 1 });
  await Promise.all([first.seen.untilCount(1), second.seen.untilCount(1)]);
  for (let beat = 0; beat < simulatedBeats; beat++) {
    const time = beat * 0.01 + beat * 1e-12;
    const send = [
      () => first.state({ agent: 1, time, x: beat, yaw: 1, speed: 1 }),
      () => second.state({ agent: 1, time, x: -beat, y: 3 }),
    ];
    for (const index of order) send[index]?.();
    // A description is the first buffer of a node; the first states have no vehicle.
    await first.seen.untilCount(beat + 2);
  }
  expect(await middleware.ended).toEqual({ code: 0, signal: null });
  second.quit();
  await gateway.stderr.until((line) => line === 'node 2 ends the simulation');
  const starts = controller.startSignals.items.map(({ list }) =>
    topics.vehicleStateList.codec.encode(list),
  );
  const fromGateway = first.seen.items.slice(1, 1 + simulatedBeats);
  gateway.signal('SIGTERM');
  await gateway.ended;
  lab.context.close();
  return {
    starts: starts.map((bytes) => Buffer.from(bytes).toString('hex')),
    fromGateway: fromGateway.map(({ messages }) => messages),
    lists: controller.startSignals.items.map(({ list }) => list),
  };
}

describe('a SynChrono node in simulated time', () => {
  it('lets the time of the lab go on when the gateway is ended between two steps', async () => {
    const lab = openTestLab();
    const fleet = startCommand(lab.uri, 'fleet', '--vehicle-ids=1', '--simulated-time');
    await fleet.stderr.until((line) => line.startsWith('vehicle 1 in simulated time'));
    const gateway = startGateway(lab, '--simulated-time', '--vehicle-ids=1', '--map=1.1:10');
    await gateway.stderr.until((line) => line.startsWith('node 3 waits for'));
    const signIns = new TopicRecorder(lab.join('lab'), topics.readyStatus);
    await signIns.untilMatched();
    const withheld: (() => void)[] = [];
    const controller = lab.controller({
      ids: [1],
      onStart: (list, self) => {
        if (list.t_now < 100_000_000n) self.answer(list);
        else withheld.push(() => self.answer(list));
      },
    });
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1', '--active-vehicle-ids=1,10', '--simulated-time', '--period-ms=20'],
      '--periods=20',
    );
    controller.signIn();
    await signIns.messages.until(({ message }) => message.source_id === 'middleware');
    const node = new ScriptedNode(lab, 1, [3]);
    node.describe({ agent: 1 });
    await node.seen.untilCount(1);
    // The time of the lab stands at the step of the controller.
    for (let beat = 0; beat < 12; beat++) {
      node.state({ agent: 1, time: beat * 0.01 + beat * 1e-12, x: beat });
      if (beat < 10) await node.seen.untilCount(beat + 2);
    }
    const last = await controller.startSignals.until(() => withheld.length > 0);
    gateway.signal('SIGINT');
    expect(await gateway.ended).toEqual({ code: 130, signal: null });
    await fleet.stderr.until((line) => line === 'synchrono_gateway_3 has left');
    for (const answer of withheld.splice(0)) answer();
    const next = await controller.startSignals.until(({ list }) => list.t_now > last.list.t_now);
    expect(next.list.t_now).toBeGreaterThan(last.list.t_now);
    middleware.signal('SIGINT');
    await middleware.ended;
  });

  it('has its heartbeats at times of the lab, and a run repeats itself byte by byte', async () => {
    const run = await simulatedRun([0, 1]);
    expect(run.starts).toHaveLength(20);
    // A fleet sends its first states at 20 ms.
    const beats = run.fromGateway.map(([state]) => Math.round((state?.time ?? NaN) * 100));
    expect(beats).toEqual(
      Array.from({ length: simulatedBeats }, (_, beat) => (beat < 2 ? NaN : beat)),
    );
    const [last] = run.lists.slice(-1);
    const of10 = last?.state_list.find(({ vehicle_id: id }) => id === 10);
    // Heartbeat 32 is the newest one that is 60 ms old at 380 ms.
    expect(of10).toMatchObject({ pose: { x: 32, y: 0 }, odometer_distance: 32 });
    expect(of10?.header.create_stamp.nanoseconds).toBe(320_000_000n);
    const positions = new Set(run.fromGateway.map(([state]) => state?.chassis?.pos.join()));
    expect(positions.size).toBeGreaterThan(10);
    // The order in which nodes send has no effect.
    const again = await simulatedRun([1, 0]);
    expect(again).toEqual(run);
  });
});
