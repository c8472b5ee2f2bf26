import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createVehicles, type Vehicles, type VehiclesOptions } from '../../../src/sides/index.js';
import { topics, type Topic } from '../../../src/messages/index.js';
import { commandTopics, type AnyCommand } from '../../support/commands.js';
import { InMemoryNetwork } from '../../support/in-memory-transport.js';
import { header, straight } from '../lab/commands.js';

const ms = 1_000_000n;
const second = 1000n * ms;
const start = 1_700_000_000_000;
const t = BigInt(start) * ms;
const stop = 2n ** 64n - 1n;
const pose = { x: 1, y: 2, yaw: 0.5 };
const opened: Vehicles[] = [];

let network: InMemoryNetwork;
let errors: unknown[];

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  network = new InMemoryNetwork();
  errors = [];
});
afterEach(() => {
  for (const vehicles of opened.splice(0)) vehicles.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

async function open(options: Partial<VehiclesOptions> = {}): Promise<Vehicles> {
  const vehicles = await createVehicles({
    ids: [1, 2],
    transport: network.join(),
    onError: (error) => errors.push(error),
    ...options,
  });
  opened.push(vehicles);
  return vehicles;
}

/** Collects what comes on a topic from now on. */
function listen<T>(topic: Topic<T>): T[] {
  const messages: T[] = [];
  network
    .join()
    .createReader(
      topic,
      { reliability: { kind: 'best-effort' } },
      { onSample: ({ bytes }) => messages.push(topic.codec.decode(bytes)) },
    );
  return messages;
}

/** Writes as a program of the lab, and waits until all is delivered. */
async function write<T>(topic: Topic<T>, message: T): Promise<void> {
  network
    .join()
    .createWriter(topic, { reliability: { kind: 'reliable' } })
    .write(topic.codec.encode(message));
  await network.idle();
}

const send = ({ kind, message }: AnyCommand) =>
  write(commandTopics[kind] as Topic<AnyCommand['message']>, message);
const trigger = (nanoseconds: bigint) =>
  write(topics.systemTrigger, { next_start: { nanoseconds } });
const speed = (value: number, createNs: bigint, validAfterNs = createNs) =>
  straight(value, createNs, validAfterNs) as AnyCommand;

it('vehicles that obey no kind of command read none', async () => {
  const readers = () => {
    const writer = network.join().createWriter(topics.vehicleCommandDirect, {
      reliability: { kind: 'reliable' },
    });
    return network.idle().then(() => writer.matchedReaders);
  };
  await open({ profile: { kinds: [] } });
  expect(await readers()).toBe(0);
  await open({ profile: { kinds: ['trajectory'] } });
  expect(await readers()).toBeGreaterThan(0);
});

describe('the state of a vehicle', () => {
  it('is stamped as one of the CPM Lab, and the rest is 0 or what was given', async () => {
    const vehicles = await open();
    const [states, observations] = [listen(topics.vehicleState), listen(topics.vehicleObservation)];
    vehicles.publish({ vehicleId: 2, pose, speed: 1.5, battery_voltage: 7.5 });
    await network.idle();
    expect(states).toEqual([
      {
        ...topics.vehicleState.codec.zero(),
        vehicle_id: 2,
        header: header(t, t + 60n * ms),
        pose,
        imu_yaw: 0.5,
        speed: 1.5,
        battery_voltage: 7.5,
      },
    ]);
    expect(observations).toEqual([{ vehicle_id: 2, header: header(t), pose }]);
  });

  it('has each field that is given', async () => {
    const vehicles = await open();
    const states = listen(topics.vehicleState);
    const given: Record<string, boolean | bigint | number> = Object.fromEntries(
      Object.entries(topics.vehicleState.codec.zero())
        .filter(([name]) => !['vehicle_id', 'header', 'pose', 'speed'].includes(name))
        .map(([name, zero], i): [string, boolean | bigint | number] => {
          if (typeof zero === 'boolean') return [name, true];
          return [name, typeof zero === 'bigint' ? BigInt(i + 1) : i + 1];
        }),
    );
    expect(Object.keys(given)).toHaveLength(12);
    vehicles.publish({ vehicleId: 2, pose, speed: 1.5, ...given });
    await network.idle();
    expect(states).toMatchObject([given]);
  });

  it('has the stamps and the observation that are given', async () => {
    const vehicles = await open();
    const [states, observations] = [listen(topics.vehicleState), listen(topics.vehicleObservation)];
    const seen = { x: 3, y: 4, yaw: 0 };
    vehicles.publish({ vehicleId: 1, pose, speed: 0, createNs: 7n, observation: seen });
    vehicles.publish({ vehicleId: 1, pose, speed: 0, validAfterNs: t, observation: null });
    await network.idle();
    expect(states.map((state) => state.header)).toEqual([header(7n, 7n + 60n * ms), header(t, t)]);
    expect(observations).toEqual([{ vehicle_id: 1, header: header(7n), pose: seen }]);
  });

  it.each([
    ['of another vehicle', { vehicleId: 3, pose, speed: 0 }],
    ['with a speed that is not finite', { vehicleId: 1, pose, speed: NaN }],
    [
      'with a pose that is not finite',
      { vehicleId: 1, pose: { ...pose, yaw: Infinity }, speed: 0 },
    ],
    [
      'with an observation that is not finite',
      { vehicleId: 1, pose, speed: 0, observation: { ...pose, x: NaN } },
    ],
    ['with a stamp that no message can hold', { vehicleId: 1, pose, speed: 0, createNs: -1n }],
  ])('%s is refused, and nothing is sent', async (_, measurement) => {
    const vehicles = await open();
    const states = listen(topics.vehicleState);
    expect(() => vehicles.publish(measurement)).toThrow(
      expect.objectContaining({ code: 'HLC_VEHICLES_STATE' }) as Error,
    );
    await network.idle();
    expect(states).toEqual([]);
  });

  it('is refused after close, twice', async () => {
    const vehicles = await open();
    vehicles.close();
    vehicles.close();
    expect(() => vehicles.publish({ vehicleId: 1, pose, speed: 0 })).toThrow(
      expect.objectContaining({ code: 'HLC_CLOSED' }) as Error,
    );
  });
});

describe('the commands of vehicles', () => {
  it('reach the vehicle that they are for, and onCommand', async () => {
    const received: unknown[] = [];
    const vehicles = await open({ onCommand: (command) => received.push(command) });
    await send(speed(1, t));
    await send({
      ...speed(1, t),
      message: { ...speed(1, t).message, vehicle_id: 7 },
    } as AnyCommand);
    expect(vehicles.commandFor(1)).toEqual(straight(1, t));
    expect(vehicles.commandFor(2)).toBeNull();
    expect(vehicles.commandFor(7)).toBeNull();
    expect(received).toEqual([straight(1, t)]);
  });

  it('are obeyed from their time on, and for a second', async () => {
    const vehicles = await open();
    await send(speed(1, t, t + 10n * ms));
    expect(vehicles.commandFor(1)).toBeNull();
    vi.advanceTimersByTime(10);
    expect(vehicles.commandFor(1)).not.toBeNull();
    vi.advanceTimersByTime(999);
    expect(vehicles.commandFor(1)).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(vehicles.commandFor(1)).toBeNull();
  });

  it('are obeyed as the profile says', async () => {
    const patient = await open({ profile: { timeoutMs: 0 } });
    const curvesOnly = await open({ profile: { kinds: ['speedCurvature'] } });
    const direct: AnyCommand = {
      kind: 'direct',
      message: { vehicle_id: 1, header: header(t), motor_throttle: 0, steering_servo: 0 },
    };
    await send(direct);
    await send(speed(1, t));
    expect(patient.commandFor(1)).toEqual(direct);
    expect(curvesOnly.commandFor(1)).toEqual(straight(1, t));
    vi.advanceTimersByTime(3_600_000);
    expect(patient.commandFor(1)).toEqual(direct);
    expect(curvesOnly.commandFor(1)).toBeNull();
  });

  it('with a number that is not finite are refused and reported', async () => {
    const vehicles = await open();
    await send(speed(NaN, t));
    expect(vehicles.commandFor(1)).toBeNull();
    expect(errors).toMatchObject([
      { code: 'HLC_VEHICLES_COMMAND', details: { vehicleId: 1, field: 'speed' } },
    ]);
  });

  it('that are no commands are reported, and are a warning without onError', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    await open();
    opened.push(await createVehicles({ ids: [1], transport: network.join() }));
    network
      .join()
      .createWriter(topics.vehicleCommandDirect, {})
      .write(Uint8Array.of(0, 1, 0, 0, 9));
    await network.idle();
    expect(errors).toMatchObject([{ code: 'HLC_SAMPLE_MALFORMED' }]);
    expect(warnings.mock.calls).toMatchObject([[{ code: 'HLC_SAMPLE_MALFORMED' }]]);
    warnings.mockRestore();
  });
});

describe('vehicles that cannot be', () => {
  it.each([[[]], [[1, 1]], [[256]], [[-1]], [[0.5]]])('the ids %j are refused', async (ids) => {
    await expect(open({ ids })).rejects.toMatchObject({ code: 'HLC_VEHICLES_IDS' });
  });

  it.each([
    { timeoutMs: -1 },
    { timeoutMs: NaN },
    { kinds: ['direct', 'direct'] as const },
    { kinds: ['speed'] as unknown as readonly ['direct'] },
  ])('the profile %j is refused', async (profile) => {
    await expect(open({ profile })).rejects.toMatchObject({ code: 'HLC_VEHICLES_PROFILE' });
  });

  it.each([0, -1, NaN])('a step of %d ms is refused, and nothing stays open', async (periodMs) => {
    const simulatedTime = { periodMs, onStep: () => undefined };
    await expect(open({ simulatedTime })).rejects.toMatchObject({ code: 'HLC_TIME_PERIOD' });
    const writer = network.join().createWriter(topics.systemTrigger, {});
    expect(writer.matchedReaders).toBe(0);
  });
});

describe('vehicles in simulated time', () => {
  const signIns = () => {
    const messages = listen(topics.readyStatus);
    return () => messages.map((one) => [one.source_id, one.next_start_stamp.nanoseconds]);
  };

  it('sign in for each step, do it at its trigger, and have its time', async () => {
    const wanted = signIns();
    const states = listen(topics.vehicleState);
    const steps: bigint[] = [];
    const vehicles = await open({
      simulatedTime: {
        onStep(nowNs) {
          steps.push(nowNs);
          vehicles.publish({ vehicleId: 1, pose, speed: 0 });
        },
      },
    });
    await network.idle();
    expect(wanted()).toEqual([['vehicle_1_2', 0n]]);
    await trigger(0n);
    await trigger(19n * ms);
    expect(steps).toEqual([0n]);
    await trigger(20n * ms);
    expect(steps).toEqual([0n, 20n * ms]);
    expect(vehicles.nowNs).toBe(20n * ms);
    expect(states.map((state) => state.header.create_stamp.nanoseconds)).toEqual(steps);
    expect(wanted()).toEqual([0n, 20n * ms, 40n * ms].map((ns) => ['vehicle_1_2', ns]));
  });

  it('choose the time of their next step', async () => {
    const wanted = signIns();
    await open({
      simulatedTime: { onStep: () => undefined, nextStepNs: (nowNs) => 3n * nowNs + 1n },
    });
    for (const nowNs of [0n, 1n, 4n]) await trigger(nowNs);
    expect(wanted().map(([, ns]) => ns)).toEqual([0n, 1n, 4n, 13n]);
  });

  it('obey commands by the time of the lab', async () => {
    const vehicles = await open({ simulatedTime: { periodMs: 500, onStep: () => undefined } });
    await send(speed(1, 0n));
    expect(vehicles.commandFor(1)).not.toBeNull();
    await trigger(0n);
    await trigger(500n * ms);
    expect(vehicles.commandFor(1)).not.toBeNull();
    await trigger(second);
    expect(vehicles.commandFor(1)).toBeNull();
  });

  it('let time go on only when a step is done', async () => {
    const wanted = signIns();
    let finish: () => void = () => undefined;
    const onStep = () => new Promise<void>((resolve) => (finish = resolve));
    await open({ simulatedTime: { onStep, sourceId: 'cave' } });
    await trigger(0n);
    expect(wanted()).toEqual([['cave', 0n]]);
    finish();
    await vi.waitFor(() => expect(wanted()).toHaveLength(2));
  });

  it('report a step that fails, and go on', async () => {
    const wanted = signIns();
    const failure = new Error('no physics');
    await open({ simulatedTime: { onStep: () => Promise.reject(failure) } });
    await trigger(0n);
    await vi.waitFor(() => expect(wanted()).toHaveLength(2));
    expect(errors).toEqual([failure]);
  });

  it('take the next period when the choice of the next step fails', async () => {
    const wanted = signIns();
    const failure = new Error('no schedule');
    const nextStepNs = () => {
      throw failure;
    };
    await open({ simulatedTime: { onStep: () => undefined, nextStepNs } });
    await trigger(0n);
    await vi.waitFor(() => expect(wanted().map(([, ns]) => ns)).toEqual([0n, 20n * ms]));
    expect(errors).toEqual([failure]);
  });

  it('sign off when they close, unless the lab has stopped', async () => {
    const wanted = signIns();
    const vehicles = await open({ simulatedTime: { onStep: () => undefined } });
    await trigger(0n);
    vehicles.close();
    await network.idle();
    expect(wanted().map(([, ns]) => ns)).toEqual([0n, 20n * ms, stop]);
    const stopped = await open({ simulatedTime: { onStep: () => undefined } });
    await trigger(stop);
    stopped.close();
    await network.idle();
    expect(wanted()).toHaveLength(4);
  });

  it('sign in again every 2 s until the lab control is there', async () => {
    const wanted = signIns();
    await open({ simulatedTime: { onStep: () => undefined } });
    vi.advanceTimersByTime(4000);
    await network.idle();
    expect(wanted()).toHaveLength(3);
    await trigger(0n);
    vi.advanceTimersByTime(4000);
    await network.idle();
    expect(wanted()).toHaveLength(4);
  });

  it('answer round trips, and end with the stop of the lab', async () => {
    const wanted = signIns();
    const answers = listen(topics.round_trip_time);
    const onStop = vi.fn();
    const onStep = vi.fn();
    await open({ simulatedTime: { onStep }, onStop });
    await write(topics.round_trip_time, { source_id: 'lab', is_answer: false, count: 9 });
    expect(answers).toContainEqual({ source_id: 'vehicle_1_2', is_answer: true, count: 9 });
    await trigger(stop);
    await trigger(0n);
    vi.advanceTimersByTime(4000);
    await network.idle();
    expect(onStop).toHaveBeenCalledTimes(1);
    expect(onStep).not.toHaveBeenCalled();
    expect(wanted()).toHaveLength(1);
  });
});
