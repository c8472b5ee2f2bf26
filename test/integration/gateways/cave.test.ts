import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { fromBinary } from '@bufbuild/protobuf';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCaveGateway, type CaveGateway } from '../../../src/gateways/cave/cave-gateway.js';
import { MessagePacketSchema } from '../../../src/gateways/generated/cave_pb.js';
import { topics, type VehicleState } from '../../../src/messages/index.js';
import { createVehicles } from '../../../src/sides/index.js';
import type { ChildProgram } from '../../support/child-program.js';
import { freePorts } from '../../support/free-ports.js';
import { Recorder } from '../../support/recorder.js';
import {
  startClient,
  startCommand,
  startLabControl,
  type GatewayClient,
} from '../../support/gateway-program.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';
import { TopicRecorder } from '../../support/topic-recorder.js';
import { datagram } from '../../unit/gateways/cave/messages.js';

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

/** A gateway without a lab, in this process, and one UDP end point for it. */
async function openAlone(options: { steppedClients: number; ageOutMs: number }) {
  const port = await freePorts(1);
  const lines: string[] = [];
  const gateway: CaveGateway = await openCaveGateway({
    ...options,
    host: '127.0.0.1',
    port,
    view: { subset: 'all' },
    events: {
      vehicleAdded: () => true,
      vehicleMoved: () => undefined,
      vehicleRemoved: () => undefined,
    },
    log: (text) => void lines.push(text),
  });
  onTestFinished(() => gateway.close());
  const udp = createSocket('udp4');
  onTestFinished(() => void udp.close());
  await new Promise<void>((resolve) => udp.connect(port, '127.0.0.1', resolve));
  return { gateway, port, lines, udp };
}

/** The answer to a connection request. */
async function request(port: number): Promise<number[]> {
  const tcp = connect(port, '127.0.0.1');
  onTestFinished(() => void tcp.destroy());
  tcp.write(Buffer.of(8));
  const [answer] = (await once(tcp, 'data')) as [Buffer];
  tcp.destroy();
  return [...answer];
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

describe('a CAVE gateway in simulated time', () => {
  /** A lab control, the gateway, and other vehicles that record their steps. */
  async function openSteppedLab() {
    const { lab, gateway } = await openCaveLab('--ids=100', '--simulated-time');
    const labControl = startLabControl(lab.uri);
    const steps = new Recorder<bigint>('steps of the other vehicles');
    const vehicles = await createVehicles({
      ids: [1],
      transport: lab.join('lab'),
      simulatedTime: { onStep: (nowNs) => steps.add(nowNs) },
    });
    onTestFinished(() => vehicles.close());
    await steps.untilCount(20);
    return { gateway, labControl, steps };
  }

  it('signs off when it is ended: time goes on without it', async () => {
    const { gateway, steps } = await openSteppedLab();
    gateway.signal('SIGINT');
    expect(await gateway.ended).toEqual({ code: 130, signal: null });
    await steps.untilCount(steps.items.length + 20);
  });

  it('ends with the lab', async () => {
    const { gateway, labControl } = await openSteppedLab();
    labControl.signal('SIGTERM');
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.stderr.items).toContain('the lab has stopped');
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
    const next = client({ ids: [], packet: true, count: 20 });
    await next.seen.until(({ world }) => idsOf(world).join() === '0/0');
    await Promise.all([ended(good), ended(next)]);
    expect(answers).toEqual([]);
    const logged = gateway.stderr.items.filter((line) => line.includes('HLC_GATEWAY_REFUSED'));
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.length).toBeLessThanOrEqual((performance.now() - begunMs) / 1000 + 2);
  });

  it.each([70, 300])(
    'of %i silent TCP connections keeps no client out, and 64 of them stay open at most',
    async (count) => {
      const { port, gateway, client } = await openCaveLab('--ids=100');
      let closed = 0;
      for (let i = 0; i < count; i++) {
        const silent = connect(port, '127.0.0.1');
        onTestFinished(() => void silent.destroy());
        silent.on('error', () => undefined); // the gateway may reset it
        silent.once('close', () => closed++);
        silent.resume();
        await once(silent, 'connect');
      }
      const next = client({ ids: [0], count: 20 });
      await next.seen.until(({ world }) => idsOf(world).join() === '0/0');
      await ended(next);
      await expect.poll(() => closed).toBeGreaterThan(count - 64);
      // Not because of their time: the first of them made room.
      const [first] = gateway.stderr.items.filter((line) => line.includes('HLC_GATEWAY_REFUSED'));
      expect(first).toContain('64 newer connections came before its connection request');
    },
  );

  it('of 300 handshakes without a datagram keeps no client out', async () => {
    const { port, client } = await openCaveLab('--ids=100,101');
    const good = client({ ids: [0], count: 200 });
    await good.seen.until(({ world }) => world !== undefined);
    for (let i = 1; i <= 300; i++) {
      expect(await request(port)).toEqual([9, i & 0xff, i >> 8, 0, 0]);
    }
    const next = client({ ids: [0], count: 20 });
    await good.seen.until(({ world }) => idsOf(world).includes('301/0'));
    await Promise.all([ended(good), ended(next)]);
  });

  it('of a client that comes and goes makes few lines of log', async () => {
    const { port, lines, udp } = await openAlone({ steppedClients: 0, ageOutMs: 10_000 });
    const registrations = () => lines.filter((line) => line.includes('is registered'));
    const begunMs = performance.now();
    for (let number = 0; number < 400; number++) {
      await request(port);
      udp.send(datagram.packet(number));
      udp.send(Buffer.of(1));
    }
    await request(port);
    const seconds = (performance.now() - begunMs) / 1000;
    expect(registrations().length).toBeGreaterThanOrEqual(256);
    expect(registrations().length).toBeLessThanOrEqual(256 + seconds + 1);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    udp.send(datagram.packet(400));
    await expect
      .poll(() => registrations().at(-1))
      .toMatch(/^client 400 .*\(and \d+ more registrations since the last one\)$/);
  });
});

it('time that waits for clients keeps no more than 10000 states of vehicles in real time', async () => {
  const { gateway, port, udp, lines } = await openAlone({ steppedClients: 1, ageOutMs: 60_000 });
  await request(port);
  const pose = { x: 1, y: 2, yaw: 0 };
  const state = { unixTime: 0, wheelbase: 1, pose, speed: 0 };
  gateway.setLabVehicle({ ...state, vehicleId: 4, chTime: 0 });
  for (let i = 0; i < 9_999; i++) gateway.setLabVehicle({ ...state, vehicleId: 5, chTime: 1.7e9 });
  expect(lines.filter((line) => line.includes('wait for a later time'))).toEqual([]);
  gateway.setLabVehicle({ ...state, vehicleId: 5, chTime: 1.7e9 });
  expect(lines.at(-1)).toContain('vehicle 5 is at 1700000000 s');
  udp.send(datagram.vehicle(0, 1, 0));
  await gateway.step(0n);
  const answer = once(udp, 'message') as Promise<[Buffer]>;
  udp.send(datagram.vehicle(0, 1, 1));
  await gateway.step(1_000_000_000n);
  // That of vehicle 4 was the oldest.
  const { vehicleMessages } = fromBinary(MessagePacketSchema, (await answer)[0].subarray(1));
  expect(vehicleMessages.map(({ idNumber }) => idNumber)).toEqual([1]);
});

it('time that waits for clients removes a vehicle of the lab that is silent by simulated time', async () => {
  const { gateway, port, udp } = await openAlone({ steppedClients: 1, ageOutMs: 60_000 });
  await request(port);
  const worldAt = async (seconds: number) => {
    const answer = once(udp, 'message') as Promise<[Buffer]>;
    udp.send(datagram.vehicle(0, 1, seconds));
    await gateway.step(BigInt(seconds) * 1_000_000_000n);
    const { vehicleMessages } = fromBinary(MessagePacketSchema, (await answer)[0].subarray(1));
    return vehicleMessages.map(({ connectionNumber, idNumber }) => [connectionNumber, idNumber]);
  };
  const pose = { x: 1, y: 2, yaw: 0 };
  gateway.setLabVehicle({ vehicleId: 5, unixTime: 0, chTime: 0, wheelbase: 1, pose, speed: 0 });
  udp.send(datagram.vehicle(0, 1, 0));
  await gateway.step(0n);
  expect((await worldAt(10)).sort(([a = 0], [b = 0]) => a - b)).toEqual([
    [-1, 5],
    [0, 1],
  ]);
  expect(await worldAt(70)).toHaveLength(2);
  expect(await worldAt(71)).toEqual([[0, 1]]);
});
