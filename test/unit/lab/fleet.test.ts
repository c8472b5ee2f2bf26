import { afterEach, describe, expect, it } from 'vitest';
import type { Transport } from '../../../src/ports/index.js';
import { tracks, startFleet, type Fleet, type FleetEvent } from '../../../src/lab/index.js';
import {
  topics,
  type Topic,
  type VehicleCommandSpeedCurvature,
} from '../../../src/messages/index.js';
import { InMemoryNetwork } from '../../support/in-memory-transport.js';
import { header } from './commands.js';
import { ManualClock } from './manual-clock.js';

const ms = 1_000_000n;
const second = 1000n * ms;
const t = 1_000n * second + 7n * ms;
const opened: Fleet[] = [];

afterEach(() => {
  for (const fleet of opened.splice(0)) fleet.close();
});

interface Lab {
  readonly clock: ManualClock;
  readonly fleet: Fleet;
  readonly events: FleetEvent[];
  readonly side: Transport;
  /** Moves the clock and waits until all samples are delivered. */
  advance(byNs: bigint): Promise<void>;
  /** Collects what comes on a topic from now on. */
  listen<T>(topic: Topic<T>): T[];
  /** Sends a speed to a vehicle, valid at once. */
  command(
    vehicleId: number,
    speed: number,
    reliability?: 'reliable' | 'best-effort',
  ): Promise<void>;
}

function openLab(vehicleIds: readonly number[]): Lab {
  const network = new InMemoryNetwork();
  const side = network.join();
  const clock = new ManualClock(t);
  const events: FleetEvent[] = [];
  const fleet = startFleet({
    transport: network.join(),
    vehicleIds,
    clock,
    onEvent: (event) => events.push(event),
  });
  opened.push(fleet);
  return {
    clock,
    fleet,
    events,
    side,
    async advance(byNs) {
      clock.advanceTo(clock.nowNs() + byNs);
      await network.idle();
    },
    listen<T>(topic: Topic<T>) {
      const samples: T[] = [];
      side.createReader(
        topic,
        { reliability: { kind: 'best-effort' } },
        { onSample: ({ bytes }) => samples.push(topic.codec.decode(bytes)) },
      );
      return samples;
    },
    async command(vehicleId, speed, kind = 'reliable') {
      const topic = topics.vehicleCommandSpeedCurvature;
      const message: VehicleCommandSpeedCurvature = {
        vehicle_id: vehicleId,
        header: header(clock.nowNs()),
        speed,
        curvature: 0,
      };
      const writer = side.createWriter(topic, { reliability: { kind } });
      writer.write(topic.codec.encode(message));
      await network.idle();
      writer.close();
    },
  };
}

describe('a fleet of simulated vehicles', () => {
  it('reports the state and the pose of every vehicle 50 times a second, on the grid of 20 ms', async () => {
    const lab = openLab([4, 2]);
    const states = lab.listen(topics.vehicleState);
    const observations = lab.listen(topics.vehicleObservation);
    await lab.advance(second);
    for (const id of [2, 4]) {
      const own = states.filter((state) => state.vehicle_id === id);
      const stamps = own.map((state) => state.header.create_stamp.nanoseconds);
      expect(stamps).toHaveLength(50);
      expect(stamps[0]).toBe(t + 13n * ms);
      expect(stamps.every((stamp, i) => stamp === t + 13n * ms + BigInt(i) * 20n * ms)).toBe(true);
      expect(observations.filter((one) => one.vehicle_id === id)).toHaveLength(50);
    }
  });

  it('sends states that may be used 60 ms after they were made', async () => {
    const lab = openLab([1]);
    const states = lab.listen(topics.vehicleState);
    await lab.advance(20n * ms);
    const stamps = states[0]?.header;
    expect(stamps?.valid_after_stamp.nanoseconds).toBe(
      (stamps?.create_stamp.nanoseconds ?? 0n) + 60n * ms,
    );
  });

  it('puts its vehicles on the oval with equal gaps, or at given poses', () => {
    const lab = openLab([1, 2]);
    expect(lab.fleet.report()[0]?.pose).toEqual(tracks.oval.poseAt(0));
    const elsewhere = startFleet({
      transport: new InMemoryNetwork().join(),
      vehicleIds: [1],
      clock: new ManualClock(t),
      initialPoses: [{ x: 1, y: 2, yaw: 3 }],
      onEvent: () => undefined,
    });
    opened.push(elsewhere);
    expect(elsewhere.report()[0]?.pose).toEqual({ x: 1, y: 2, yaw: 3 });
  });

  it('refuses to start with a vehicle that has no place', () => {
    expect(() =>
      startFleet({
        transport: new InMemoryNetwork().join(),
        vehicleIds: [1, 2],
        clock: new ManualClock(t),
        initialPoses: [{ x: 1, y: 2, yaw: 3 }],
        onEvent: () => undefined,
      }),
    ).toThrow(RangeError);
  });

  it('moves only the vehicle that a command names', async () => {
    const lab = openLab([1, 2]);
    await lab.command(2, 0.5);
    await lab.command(3, 0.5);
    await lab.advance(500n * ms);
    const [one, two] = lab.fleet.report();
    expect(one).toMatchObject({ distanceM: 0, drive: 'no-command-yet', commandsReceived: 0 });
    expect(two).toMatchObject({ speed: 0.5, drive: 'commanded', commandsReceived: 1 });
    expect(two?.distanceM).toBeGreaterThan(0.1);
  });

  it.each(['reliable', 'best-effort'] as const)(
    'takes the samples of a %s writer once',
    async (reliability) => {
      const lab = openLab([1]);
      await lab.command(1, 0.5, reliability);
      expect(lab.fleet.report()[0]?.commandsReceived).toBe(1);
    },
  );

  it.each([
    [topics.vehicleCommandDirect, { motor_throttle: 0.2, steering_servo: 0 }],
    [topics.vehicleCommandSpeedCurvature, { speed: 0.5, curvature: 0 }],
    [
      topics.vehicleCommandTrajectory,
      {
        trajectory_points: [-1n, 0n, 2n].map((s) => ({
          t: { nanoseconds: t + s * second },
          px: tracks.oval.poseAt(0).x + 0.3 * Number(s),
          py: tracks.oval.poseAt(0).y,
          vx: 0.3,
          vy: 0,
        })),
      },
    ],
    [
      topics.vehicleCommandPathTracking,
      { path: [0, 1, 2].map((s) => ({ pose: tracks.oval.poseAt(s / 2), s: s / 2 })), speed: 0.5 },
    ],
  ])('obeys topic $name', async (topic, body) => {
    const lab = openLab([1]);
    const codec = topic.codec as Topic<unknown>['codec'];
    lab.side
      .createWriter(topic, {})
      .write(codec.encode({ vehicle_id: 1, header: header(t), ...body }));
    await lab.advance(0n);
    await lab.advance(300n * ms);
    expect(lab.fleet.report()[0]?.speed).toBeGreaterThan(0.1);
  });

  it('says which command it refused because of a number that is not finite', async () => {
    const lab = openLab([1]);
    await lab.command(1, NaN);
    expect(lab.events).toMatchObject([
      {
        kind: 'fault',
        error: { code: 'HLC_VEHICLES_COMMAND', details: { vehicleId: 1, field: 'speed' } },
      },
    ]);
    expect(lab.fleet.report()[0]).toMatchObject({ commandsReceived: 0, drive: 'no-command-yet' });
  });

  it('says when a vehicle stops one second after its last command, and when it goes on', async () => {
    const lab = openLab([1, 2]);
    await lab.command(1, 0.5);
    await lab.advance(second - 1n);
    expect(lab.events).toEqual([]);
    await lab.advance(20n * ms);
    expect(lab.events).toEqual([{ kind: 'command-timeout', vehicleId: 1 }]);
    await lab.advance(5n * second);
    expect(lab.fleet.report()[0]).toMatchObject({ speed: 0, drive: 'command-timeout' });
    await lab.command(1, 0.5);
    await lab.advance(20n * ms);
    expect(lab.events.at(-1)).toEqual({ kind: 'command-resumed', vehicleId: 1 });
  });

  it('drives the steps of a short stall afterwards', async () => {
    const lab = openLab([1]);
    const states = lab.listen(topics.vehicleState);
    lab.clock.jumpTo(t + 500n * ms);
    await lab.advance(0n);
    expect(states).toHaveLength(25);
    expect(lab.events).toEqual([]);
  });

  it('leaves out the steps of a long stall and says how many', async () => {
    const lab = openLab([1]);
    const states = lab.listen(topics.vehicleState);
    lab.clock.jumpTo(t + 10n * second);
    await lab.advance(0n);
    expect(lab.events).toEqual([{ kind: 'steps-skipped', count: 499 }]);
    expect(states).toHaveLength(1);
  });

  it('goes on at the new time when the clock is set back', async () => {
    const lab = openLab([1]);
    await lab.advance(second);
    lab.clock.jumpTo(t - 600n * second);
    const states = lab.listen(topics.vehicleState);
    await lab.advance(second);
    expect(states).toHaveLength(50);
    expect(states[0]?.header.create_stamp.nanoseconds).toBeLessThan(t - 599n * second);
  });

  it('reports a sample that cannot be decoded', async () => {
    const lab = openLab([1]);
    lab.side.createWriter(topics.vehicleCommandDirect, {}).write(new Uint8Array([0, 1, 0, 0, 1]));
    await lab.advance(0n);
    expect(lab.events).toMatchObject([{ kind: 'fault', error: { code: 'HLC_SAMPLE_MALFORMED' } }]);
  });

  it('reports a sample that cannot be written, and goes on', async () => {
    const network = new InMemoryNetwork();
    const transport = network.join();
    const clock = new ManualClock(t);
    const events: FleetEvent[] = [];
    const fleet = startFleet({ transport, vehicleIds: [1], clock, onEvent: (e) => events.push(e) });
    opened.push(fleet);
    transport.close();
    clock.advanceTo(t + 40n * ms);
    await network.idle();
    expect(events).toHaveLength(4);
    expect(events[0]).toMatchObject({ kind: 'fault', error: { code: 'HLC_CLOSED' } });
  });

  it('is silent after it was closed, and closes twice', async () => {
    const lab = openLab([1]);
    const states = lab.listen(topics.vehicleState);
    await lab.advance(100n * ms);
    const sent = states.length;
    lab.fleet.close();
    lab.fleet.close();
    expect(lab.clock.waiting).toBe(0);
    await lab.command(1, 1);
    await lab.advance(second);
    expect(states).toHaveLength(sent);
    expect(lab.fleet.report()[0]?.commandsReceived).toBe(0);
  });
});
