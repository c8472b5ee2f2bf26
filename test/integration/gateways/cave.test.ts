import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { topics, type VehicleState } from '../../../src/messages/index.js';
import type { ChildProgram } from '../../support/child-program.js';
import { freePorts } from '../../support/free-ports.js';
import {
  startClient,
  startCommand,
  startLabControl,
  type GatewayClient,
} from '../../support/gateway-program.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';
import { TopicRecorder } from '../../support/topic-recorder.js';

/** [connection, id, chTime, speed, x, y, e0, e3] */
type SeenVehicle = readonly [number, number, number, number, number, number, number, number];

/** A line of test/peers/gateways/scripted_cave_client.py. */
interface SeenByClient {
  readonly connection?: number;
  readonly world?: readonly SeenVehicle[];
  readonly dsrc?: string;
}

interface ClientOptions {
  readonly ids: readonly number[];
  readonly count: number;
  readonly interval?: number;
  readonly packet?: boolean;
  readonly y?: number;
  readonly dsrc?: string;
  readonly leave?: boolean;
  readonly stay?: boolean;
}

interface CaveLab {
  readonly lab: TestLab;
  readonly port: number;
  readonly gateway: ChildProgram;
  readonly states: TopicRecorder<VehicleState>;
  readonly client: (options: ClientOptions) => GatewayClient<SeenByClient>;
}

async function openCaveLab(...flags: string[]): Promise<CaveLab> {
  const lab = openTestLab();
  const port = await freePorts(1);
  const states = new TopicRecorder(lab.join('lab'), topics.vehicleState);
  const gateway = startCommand(lab.uri, 'gateway', 'cave', `--port=${port}`, ...flags);
  await gateway.stderr.until((line) => line.startsWith('CAVE clients are served'));
  await states.untilMatched();
  return {
    lab,
    port,
    gateway,
    states,
    client: (options) => startClient('scripted_cave_client.py', { port, ...options }),
  };
}

const idsOf = (world: readonly SeenVehicle[] = []) => world.map(([c, id]) => `${c}/${id}`).sort();

async function ended({ program }: GatewayClient<SeenByClient>): Promise<void> {
  const end = await program.ended;
  expect(program.stderr.items).toEqual([]);
  expect(end).toEqual({ code: 0, signal: null });
}

describe('CAVE clients', () => {
  it('have vehicles in the start signals of the lab, and see those of the lab and of each other', async () => {
    const { lab, gateway, states, client } = await openCaveLab('--ids=100-102');
    startCommand(lab.uri, 'fleet', '--vehicle-ids=1');
    const controller = lab.controller({ ids: [1] });
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--active-vehicle-ids=1,100,101,102',
      '--period-ms=50',
      '--end-timeout-ms=1',
    );
    controller.signIn();
    await controller.startSignals.untilCount(1);
    const first = client({ ids: [4], count: 300, y: 5 });
    await first.seen.until(({ connection }) => connection === 0);
    await gateway.stderr.until((line) => line === 'element 4 of client 0 is vehicle 100');
    const second = client({ ids: [4, 9], count: 200, packet: true, y: -5, dsrc: 'ice ahead' });

    // All three vehicles of clients are in one start signal with that of the lab.
    const all = [1, 100, 101, 102];
    const { list } = await controller.startSignals.until(({ list: { state_list: seen } }) =>
      all.every((id) => seen.some((one) => one.vehicle_id === id)),
    );
    const moved = list.state_list.filter(({ vehicle_id: id }) => id >= 100);
    expect(moved.map(({ speed, pose }) => [speed, pose.y, pose.yaw])).toEqual([
      [1, 9, 0],
      [1, -1, 0],
      [1, 4, 0],
    ]);
    for (const { pose, odometer_distance: distance } of moved) {
      // The first place of a vehicle is at 0.02 m.
      expect(distance).toBeCloseTo(pose.x - 0.02, 9);
    }

    const everything = ['-1/1', '0/4', '1/4', '1/9'];
    const { world = [] } = await first.seen.until(
      (seen) => idsOf(seen.world).join() === everything.join(),
    );
    const ofLab = world.find(([connection]) => connection === -1);
    const [, , , , x = NaN, y = NaN, e0 = NaN, e3 = NaN] = ofLab ?? [];
    const same = states.samples.find(
      ({ vehicle_id: id, pose }) => id === 1 && Math.hypot(pose.x - x, pose.y - y) < 1e-9,
    );
    expect(Math.cos(2 * Math.atan2(e3, e0) - (same?.pose.yaw ?? NaN))).toBeCloseTo(1, 9);
    await first.seen.until(({ dsrc }) => dsrc === 'ice ahead');

    await Promise.all([ended(first), ended(second)]);
    // Each message but the first is answered, and no vehicle goes back in time. How many answers a client reads
    // before it ends depends on the machine.
    const answers = first.seen.items.flatMap(({ world: seen }) =>
      seen === undefined ? [] : [seen],
    );
    expect(answers.length).toBeLessThan(300);
    const times = answers.flatMap((seen) => seen.filter(([c]) => c === -1).map(([, , t]) => t));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBeGreaterThan(1);
    expect(second.seen.items.filter(({ dsrc }) => dsrc !== undefined)).toEqual([]);
    middleware.signal('SIGTERM');
    await middleware.ended;
  });

  it('are removed when they leave, and when they are silent; their ids are free again', async () => {
    const { gateway, states, client } = await openCaveLab('--ids=100', '--age-out-ms=500');
    await ended(client({ ids: [0], count: 20, leave: true }));
    await gateway.stderr.until((line) => line === 'vehicle 100 is gone with its element');
    const silent = client({ ids: [3], count: 20, stay: true });
    await gateway.stderr.until((line) => line === 'element 3 of client 1 is vehicle 100');
    await gateway.stderr.until((line) => /client 1 at .* is silent/.test(line));
    silent.program.signal('SIGKILL');
    const third = client({ ids: [7, 8], count: 20 });
    await gateway.stderr.until((line) => line === 'element 7 of client 2 is vehicle 100');
    await gateway.stderr.until((line) =>
      line.includes('element 8 of connection 2 has no vehicle id'),
    );
    await ended(third);
    expect(idsOf(third.seen.items.at(-1)?.world)).toEqual(['2/7']);
    expect(new Set(states.samples.map(({ vehicle_id: id }) => id))).toEqual(new Set([100]));
  });

  it('take part in simulated time: time does not wait for them, and their states have its stamps', async () => {
    const { lab, client } = await openCaveLab('--ids=100', '--simulated-time');
    const labControl = startLabControl(lab.uri);
    await labControl.stderr.until((line) => line.startsWith('cave_gateway signed in'));
    const walker = client({ ids: [4], count: 1500 });
    await walker.seen.until(({ world }) => world !== undefined);
    const controller = lab.controller({ ids: [1] });
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--active-vehicle-ids=1,100',
      '--simulated-time',
      '--period-ms=100',
      '--wait-for-start=true',
      '--periods=50',
    );
    controller.signIn();
    expect((await middleware.ended).code).toBe(0);
    const lists = controller.startSignals.items.map(({ list }) => list);
    expect(lists).toHaveLength(50);
    const with100 = lists.filter(({ state_list: seen }) =>
      seen.some((one) => one.vehicle_id === 100),
    );
    expect(with100.length).toBeGreaterThan(0);
    for (const { t_now, state_list: seen } of with100) {
      // A state may be used 60 ms after the step in which it is published.
      const stamp = seen.find((one) => one.vehicle_id === 100)?.header.create_stamp.nanoseconds;
      expect(stamp).toBe(t_now - 1n - 60_000_000n);
    }
    walker.program.signal('SIGKILL');
  });
});

describe('bad input to the CAVE gateway', () => {
  it('is refused and logged at most once a second, and good clients are served', async () => {
    const { port, gateway, client } = await openCaveLab('--ids=100');
    const good = client({ ids: [0], count: 150 });
    await good.seen.until(({ world }) => world !== undefined);
    const udp = createSocket('udp4');
    onTestFinished(() => void udp.close());
    const answers: Buffer[] = [];
    // A packet for a DDS participant that had this port before is no answer.
    udp.on('message', (bytes, from) => {
      if (from.port === port) answers.push(bytes);
    });
    const bad = [
      Buffer.alloc(0),
      Buffer.of(5),
      Buffer.of(9),
      Buffer.from('07ffffffffffffff', 'hex'),
      // A number that was given out to another end point, and one that was not.
      Buffer.from('070800', 'hex'),
      Buffer.from('070863', 'hex'),
      Buffer.alloc(60_000, 0x0b),
    ];
    const begunMs = performance.now();
    for (let i = 0; i < 200; i++) for (const bytes of bad) udp.send(bytes, port, '127.0.0.1');
    const declined = connect(port, '127.0.0.1');
    declined.write(Buffer.of(3));
    const [answer] = (await once(declined, 'data')) as [Buffer];
    expect([...answer]).toEqual([10]);
    await once(declined, 'close');
    // Half-open connections do not keep others out.
    for (let i = 0; i < 5; i++) {
      const silent = connect(port, '127.0.0.1');
      onTestFinished(() => void silent.destroy());
      await once(silent, 'connect');
    }
    const next = client({ ids: [], packet: true, count: 20 });
    await next.seen.until(({ world }) => idsOf(world).join() === '0/0');
    await Promise.all([ended(good), ended(next)]);
    expect(answers).toEqual([]);
    const logged = gateway.stderr.items.filter((line) => line.includes('HLC_GATEWAY_REFUSED'));
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.length).toBeLessThanOrEqual((performance.now() - begunMs) / 1000 + 2);
  });
});
