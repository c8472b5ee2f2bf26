import { describe, expect, it } from 'vitest';
import type { Command, TrajectoryPoint } from '../../../../src/core/index.js';
import { obeyedCommand, type VehicleProfile } from '../../../../src/core/vehicle-obedience.js';
import { usedMemory } from '../../../support/collect-garbage.js';
import { base, MS, S, stops } from '../support.js';
import { T0 } from './motion-arbitraries.js';
import type { Stopped } from '../../../../src/core/stop/braking-place.js';
import { path, StopBench, straight } from './stop-bench.js';

const stepNs = 5n * MS;
/** No vehicle changes its speed faster, m/s². */
const mostMps2 = 4;
const endless: VehicleProfile = { ...stops.profile, timeoutNs: null };

/** A vehicle on a straight line: it follows speeds, and the places of a trajectory. */
class LineVehicle {
  x = 0;
  v = 0;
  readonly received: Command[] = [];

  constructor(private readonly profile: VehicleProfile) {}

  step(nowNs: bigint): void {
    const command = obeyedCommand(this.profile, this.received, T0 + nowNs + 1n);
    const s = Number(stepNs) / 1e9;
    const change = (this.#wanted(command, nowNs) - this.v) * (1 - Math.exp(-s / 0.05));
    this.v += Math.max(-mostMps2 * s, Math.min(mostMps2 * s, change));
    this.x += this.v * s;
  }

  #wanted(command: Command | null, nowNs: bigint): number {
    if (command === null) return 0;
    switch (command.kind) {
      case 'direct':
        // It rolls, and comes to rest slowly.
        return command.message.motor_throttle === 0 ? 0.95 * this.v : 1;
      case 'speedCurvature':
      case 'pathTracking':
        return command.message.speed;
      case 'trajectory': {
        const place = planned(command.message.trajectory_points, T0 + nowNs);
        return place.v + 3 * (place.x - this.x);
      }
    }
  }
}

function planned(points: readonly TrajectoryPoint[], tNs: bigint): { x: number; v: number } {
  const [first] = points;
  const next = points.findIndex(({ t }) => t.nanoseconds > tNs);
  const [from, to] = [points[next - 1], points[next]];
  if (from === undefined) return { x: first?.px ?? 0, v: 0 };
  if (to === undefined) return { x: points.at(-1)?.px ?? 0, v: 0 };
  const part = Number(tNs - from.t.nanoseconds) / Number(to.t.nanoseconds - from.t.nanoseconds);
  const s = Number(to.t.nanoseconds - from.t.nanoseconds) / 1e9;
  return { x: from.px + part * (to.px - from.px), v: (to.px - from.px) / s };
}

/** From its begin on, where the vehicle is then, at 1 m/s. */
function waitingPlan(nowNs: bigint, beginNs: bigint, beginM: number): Command {
  const trajectory_points = Array.from({ length: 10 }, (_, i) => ({
    t: { nanoseconds: T0 + beginNs + BigInt(i) * 300n * MS },
    px: beginM + 0.3 * i,
    py: 0,
    vx: 1,
    vy: 0,
  }));
  const message = { ...base(1, T0 + nowNs, T0 + beginNs), trajectory_points };
  return { kind: 'trajectory', message };
}

function throttle(nowNs: bigint, beginNs: bigint): Command {
  const head = base(1, T0 + nowNs, T0 + beginNs);
  return { kind: 'direct', message: { ...head, motor_throttle: 0.5, steering_servo: 0 } };
}

interface Drive {
  readonly profile: VehicleProfile;
  /** Until the stop begins: `ended`. */
  readonly states: 'always' | 'ended' | 'never';
  /** A command of long before; the vehicle has obeyed paths since then. */
  readonly left: Command | null;
  readonly waiting: ((nowNs: bigint, beginNs: bigint, beginM: number) => Command) | null;
  /** By a stop that goes on, or by the commands of the emergency stop, once. */
  readonly by: 'stop' | 'emergency stop';
  readonly stopNs?: bigint;
  readonly stopped?: Stopped;
}

/** Drives at 1 m/s by paths, gets a command that waits for its time, and is stopped before that. */
function driven({
  profile,
  states,
  left,
  waiting,
  by,
  stopNs = 3300n * MS,
  stopped = 'no',
}: Drive) {
  const bench = new StopBench(profile);
  const vehicle = new LineVehicle(profile);
  const forward = (command: Command) => {
    bench.forward(command);
    vehicle.received.push(command);
  };
  const beginNs = 3900n * MS;
  let at = { x: 0, v: 0 };
  const motion = { forwardM: 0, backM: 0, highest: 0 };
  if (left !== null) forward(left);
  for (let nowNs = 0n; nowNs < 8n * S; nowNs += stepNs) {
    bench.nowNs = nowNs;
    const drivesByPath = left === null || nowNs >= 500n * MS;
    if (drivesByPath && nowNs <= 3100n * MS && nowNs % (50n * MS) === 0n) {
      forward(path(1, T0 + nowNs));
    }
    if (waiting !== null && nowNs === 3000n * MS) {
      const beginM = vehicle.x + vehicle.v * (Number(beginNs - nowNs) / 1e9);
      forward(waiting(nowNs, beginNs, beginM));
    }
    const sendsStates = states === 'always' || (states === 'ended' && nowNs <= stopNs);
    if (sendsStates && nowNs % (20n * MS) === 0n) bench.observe(vehicle.v, vehicle.x, T0 + nowNs);
    const { length } = bench.commands;
    if (nowNs === stopNs) at = { x: vehicle.x, v: vehicle.v };
    if (by === 'stop') {
      if (nowNs === stopNs) bench.begin(stopped);
      else if (nowNs > stopNs) bench.run(0n);
    } else if (nowNs === stopNs) {
      const still = bench.authority.standStill(1, bench.moment);
      vehicle.received.push(...still.map(({ command }) => command));
    }
    vehicle.received.push(...bench.commands.slice(length));
    vehicle.step(nowNs);
    if (nowNs < stopNs) continue;
    motion.forwardM = Math.max(motion.forwardM, vehicle.x - at.x);
    motion.backM = Math.max(motion.backM, at.x + motion.forwardM - vehicle.x);
    motion.highest = Math.max(motion.highest, vehicle.v - at.v);
  }
  return { ...motion, endMps: Math.abs(vehicle.v) };
}

describe('a stop before the time of a command of another kind', () => {
  const cases = (['always', 'ended', 'never'] as const).flatMap((states) =>
    [
      { name: 'with a time-out', profile: stops.profile, left: null },
      { name: 'after an earlier trajectory', profile: stops.profile, left: straight(1, T0) },
      { name: 'after an earlier throttle', profile: stops.profile, left: throttle(0n, 0n) },
      { name: 'without a time-out', profile: endless, left: null },
    ].map((vehicle) => ({ ...vehicle, states })),
  );
  const expectRest = ({ forwardM, backM, highest, endMps }: ReturnType<typeof driven>) => {
    // 1 m/s at 2 m/s² and its response are 0.3 m.
    expect(forwardM).toBeLessThan(0.4);
    expect(backM).toBeLessThan(0.1);
    expect(highest).toBeLessThan(0.05);
    expect(endMps).toBeLessThan(0.01);
  };

  it.each(cases)('brings a vehicle to rest $name, states: $states', (drive) => {
    for (const waiting of [waitingPlan, throttle, null]) {
      for (const by of ['stop', 'emergency stop'] as const) {
        expectRest(driven({ ...drive, waiting, by }));
      }
    }
  });

  it.each(cases)(
    'brings one to rest $name that brakes by itself already, states: $states',
    (drive) => {
      if (drive.profile.timeoutNs === null) return;
      for (const by of ['stop', 'emergency stop'] as const) {
        for (const stopNs of [4105n * MS, 4250n * MS]) {
          expectRest(driven({ ...drive, waiting: null, by, stopNs }));
        }
      }
    },
  );

  it('commands all types before it ends, of a vehicle that is not seen and was stopped already', () => {
    const bench = new StopBench();
    bench.forward(throttle(0n, 0n));
    for (; bench.nowNs <= 5n * S; bench.nowNs += 50n * MS) {
      if (bench.nowNs > 0n) bench.forward(path(3, T0 + bench.nowNs));
    }
    bench.nowNs += 300n * MS;
    bench.begin('yes');
    bench.run(4n * S);
    expect(bench.outcomes).toEqual(['silent']);
    expect(new Set(bench.commands.map(({ kind }) => kind))).toEqual(
      new Set(['pathTracking', 'direct']),
    );
  });

  it('believes no rest that was seen before the vehicle drove', () => {
    const bench = new StopBench();
    bench.forward(throttle(0n, 0n));
    for (; bench.nowNs <= 3n * S; bench.nowNs += 50n * MS) {
      const stands = bench.nowNs < 2500n * MS;
      if (stands) bench.observe(0);
      bench.forward(path(stands ? 0 : 2, T0 + bench.nowNs));
    }
    bench.begin('yes');
    bench.run(400n * MS);
    expect(bench.commands.map(({ kind }) => kind)).not.toContain('direct');
    bench.run(S);
    expect(bench.commands.map(({ kind }) => kind)).toContain('direct');
  });

  it('outranks a plan that waited during a suspension', () => {
    const drive = { profile: stops.profile, states: 'never', left: null, by: 'stop' } as const;
    // Its time came 0.2 s before the stop: nothing was sent for a vehicle that has a plan.
    const stop = { ...drive, waiting: waitingPlan, stopNs: 4100n * MS };
    const { forwardM, highest } = driven({ ...stop, stopped: 'exceptOnPlan' });
    expect(highest).toBeLessThan(0.05);
    expect(forwardM).toBeLessThan(0.5);
  });
});

it.each([1.6, -1.6])('a stop from %s m/s turns no vehicle round in its middle', (mps) => {
  const bench = new StopBench(endless);
  bench.forward(path(mps, T0));
  bench.nowNs = MS;
  bench.forward(path(-mps, T0 + bench.nowNs, T0 + 600n * MS));
  bench.nowNs = 300n * MS;
  bench.begin();
  bench.run(2n * S);
  const speeds = bench.immediate.map(({ message }) => ('speed' in message ? message.speed : 0));
  expect(speeds.some((speed) => Math.abs(speed) > 0 && Math.abs(speed) < 1)).toBe(true);
  expect(speeds.filter((speed) => speed * mps < 0)).toEqual([]);
});

it('a stop lets no path drive a vehicle backwards that obeys another type', () => {
  const bench = new StopBench(endless);
  bench.forward(straight(1, T0));
  bench.nowNs = MS;
  bench.forward(path(-1, T0 + bench.nowNs, T0 + 300n * MS));
  bench.nowNs = 200n * MS;
  bench.begin();
  bench.run(S);
  const speeds = bench.commands.flatMap(({ kind, message }) =>
    kind === 'pathTracking' && 'speed' in message ? [message.speed] : [],
  );
  expect(speeds.length).toBeGreaterThan(3);
  expect(new Set(speeds.map(Math.abs))).toEqual(new Set([0]));
});

describe('a stop of a vehicle whose commands were not seen', () => {
  it('holds at once, and from the latest time of theirs on', () => {
    const bench = new StopBench(endless);
    const stamps = { createNs: T0, validNs: T0 + 10n * S };
    bench.authority.sentUnseen(1, ['pathTracking', 'speedCurvature'], stamps, bench.moment);
    bench.begin();
    const validNs = bench.commands.map(({ message: { header } }) =>
      Number(header.valid_after_stamp.nanoseconds - T0),
    );
    expect(validNs.filter((ns) => ns === 0)).toHaveLength(2);
    expect(validNs.filter((ns) => ns === 10e9 + 1)).toHaveLength(2);
    bench.run(11n * S);
    expect(bench.outcomes).toEqual(['silent']);
  });

  it('remembers the same stamps once', () => {
    const bench = new StopBench(endless);
    const stamps = { createNs: T0, validNs: T0 + 36_000n * S };
    const before = usedMemory();
    for (let i = 0; i < 100_000; i++) {
      bench.nowNs += 50n * MS;
      bench.authority.sentUnseen(1, ['pathTracking'], stamps, bench.moment);
    }
    expect(usedMemory() - before).toBeLessThan(1e6);
    expect(bench.authority.hasPending(1, bench.moment)).toBe(true);
  });

  it('moves no vehicle to the begin of a plan that another program has stopped', () => {
    const bench = new StopBench();
    for (let atMs = 0n; atMs <= 3000n; atMs += 50n) {
      bench.nowNs = atMs * MS;
      bench.forward(path(1, T0 + bench.nowNs));
    }
    bench.forward(waitingPlan(bench.nowNs, 3900n * MS, 0.9));
    bench.nowNs += 500n * MS;
    bench.begin('yes');
    bench.run(S);
    expect(bench.commands.map(({ kind }) => kind)).not.toContain('trajectory');
  });
});

it('has the places of now in a trajectory for a later time, where nobody repeats it', () => {
  const bench = new StopBench(endless);
  const { message } = straight(1, T0);
  bench.forward({ kind: 'trajectory', message } as Command);
  const { header } = base(1, T0 + 1n, T0 + 300n * MS);
  bench.forward({ kind: 'trajectory', message: { ...message, header } } as Command);
  bench.begin();
  const points = bench.commands.map((command) => {
    return command.kind === 'trajectory' ? command.message.trajectory_points : [];
  });
  expect(points).toHaveLength(2);
  expect(points[1]).toEqual(points[0]);
});
