import { expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { openDancersLab } from '../../support/dancers-lab.js';
import { startCommand } from '../../support/gateway-program.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { ScriptedNode } from '../../support/scripted-node.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

const dancersWindowMs = 100;
const heartbeatMs = 50;
/** Domains of the controllers of the two middlewares, their vehicles, their periods and how many of these they run. */
const sides = [
  { domain: 1, vehicleId: 1, periodMs: 100, periods: 20 },
  { domain: 2, vehicleId: 2, periodMs: 150, periods: 13 },
] as const;
const lastMs = Math.max(...sides.map(({ periodMs, periods }) => periodMs * (periods - 1)));
/** From 0 to the last step of a middleware. */
const heartbeats = lastMs / heartbeatMs + 1;
/** Of DANCERS, until then. */
const windows = lastMs / dancersWindowMs;
const speeds = { 1: -0.5, 2: 0.5 } as const;

/**
 * DANCERS moves vehicles 1 and 2, a node of SynChrono vehicle 10, and two middlewares with a controller each step at
 * times of their own.
 * @param order in which the middlewares and their controllers begin
 */
async function run(order: readonly (typeof sides)[number][]) {
  const { lab, startGateway, startWorld } = await openDancersLab({
    phy_step_size: heartbeatMs * 1000,
    net_step_size: dancersWindowMs * 1000,
    simulation_length: 0,
  });
  const neighbors = new TopicRecorder(lab.join('controllers'), topics.neighborList);
  const participants = sides.length + 2;
  const labControl = startCommand(
    ...([lab.uri, 'lab', '--simulated-time', `--participants=${participants}`] as const),
  );
  const signedIn = (name: string) =>
    labControl.stderr.until((line) => line.startsWith(`${name} signed in`));
  const dancers = startGateway('--lab', '--ids=0:1,1:2', '--commands=velocity');
  const physics = startWorld('physics', { agents: { 0: [0, 0], 1: [1, 0] }, step: 0.05 });
  startWorld('network', { range: 1.5 });
  await signedIn('dancers_gateway');
  await neighbors.untilMatched();
  const synchrono = startCommand(
    ...([lab.uri, 'gateway', 'synchrono', '--simulated-time', '--node=3', '--peers=1'] as const),
    ...['--vehicle-ids=1,2', '--map=1.1:10', `--heartbeat-ms=${heartbeatMs}`],
  );
  await signedIn('synchrono_gateway_3');
  const started = order.map(({ domain, vehicleId, periodMs, periods }) => {
    const controller = new ScriptedController(lab.joinDomain(domain), {
      ids: [vehicleId],
      onStart({ t_now: createNs }, self) {
        const stamp = { nanoseconds: createNs };
        const header = { create_stamp: stamp, valid_after_stamp: stamp };
        const message = { vehicle_id: vehicleId, header, speed: speeds[vehicleId], curvature: 0 };
        self.send({ kind: 'speedCurvature', message });
      },
    });
    const middleware = lab.startMiddleware(
      ...[`--node-id=middleware_${vehicleId}`, `--domain-number=${domain}`],
      ...[`--vehicle-ids=${vehicleId}`, '--active-vehicle-ids=1,2,10', '--simulated-time'],
      ...[`--period-ms=${periodMs}`, `--periods=${periods}`, '--wait-for-start=true'],
    );
    controller.signIn();
    // What has ended holds the time of the others up.
    void middleware.ended.then(() => labControl.send(`forget middleware_${vehicleId}`));
    return { vehicleId, controller, middleware };
  });
  const node = new ScriptedNode(lab, 1, [3]);
  node.describe({ agent: 1 });
  await node.seen.untilCount(1);
  for (let beat = 0; beat < heartbeats; beat++) {
    node.state({ agent: 1, time: (beat * heartbeatMs) / 1000, x: beat / 10, yaw: 1, speed: 2 });
    await node.seen.untilCount(beat + 2);
  }
  for (const { middleware } of started) {
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
  }
  // What follows is no longer in step with them.
  node.quit();
  expect(await synchrono.ended).toEqual({ code: 0, signal: null });
  await physics.seen.untilCount(windows);
  labControl.send('stop');
  expect(await dancers.ended).toEqual({ code: 0, signal: null });
  await physics.program.ended;
  const untilNs = BigInt(lastMs) * 1_000_000n;
  const starts = started.map(({ vehicleId, controller }) => {
    const lists = controller.startSignals.items.map(({ list }) => list);
    return [vehicleId, lists] as const;
  });
  return {
    starts: new Map(starts.sort(([a], [b]) => a - b)),
    toNode: node.seen.items.slice(0, heartbeats + 1).map(({ messages }) => messages),
    physics: physics.seen.items.slice(0, windows),
    neighbors: neighbors.samples.filter(({ t_now: now }) => now < untilNs),
  };
}

let first: Awaited<ReturnType<typeof run>> | undefined;

it('DANCERS, SynChrono and two middlewares with other periods share one time', async () => {
  first = await run(sides);
  for (const { vehicleId, periodMs, periods } of sides) {
    const lists = first.starts.get(vehicleId) ?? [];
    expect(lists.map(({ t_now: now }) => now)).toEqual(
      Array.from({ length: periods }, (_, step) => 1n + BigInt(step * periodMs) * 1_000_000n),
    );
    const last = lists.at(-1);
    expect(last?.state_list.map(({ vehicle_id: id }) => id)).toEqual([1, 2, 10]);
    // Each vehicle moves as its own side says: agents in x by their commands, the node by 0.1 m per heartbeat.
    const [one, two, ten] = last?.state_list ?? [];
    expect(one?.pose.x).toBeLessThan(-0.5);
    expect(two?.pose.x).toBeGreaterThan(1.5);
    expect(ten?.pose.x).toBeGreaterThan(3);
  }
  expect(first.neighbors.length).toBeGreaterThan(20);
});

it('in that they repeat themselves, in whatever order they begin', async () => {
  const again = await run([...sides].reverse());
  expect(again).toEqual(first);
});
