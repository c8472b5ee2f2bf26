import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpmLabVehicle, type Command, type VehicleProfile } from '../../../../src/core/index.js';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { MS, only, S, speedCommand, stops, type TestEffect } from '../support.js';
import { forwarding, T0 } from './motion-arbitraries.js';

const P = 50n * MS;
const pose = { x: 0, y: 0, yaw: 0 };

/** The authority over vehicle 1, with a clock and the commands that it gave. */
class Bench {
  readonly effects: TestEffect[] = [];
  /** The commands that hold from the moment at which they are sent. */
  readonly immediate: Command[] = [];
  readonly authority: StopAuthority;
  nowNs = 0n;

  constructor(profile: VehicleProfile = cpmLabVehicle, time: 'real' | 'simulated' = 'real') {
    this.authority = new StopAuthority({ ...stops, profile }, P, time);
  }

  get moment() {
    return { steadyNs: this.nowNs, stampNs: T0 + this.nowNs };
  }

  forward(command: Command): void {
    this.authority.forwarded(command, this.moment);
  }

  observe(speedMps: number, x = 0): void {
    this.authority.observe(1, { speedMps, pose: { ...pose, x } }, this.nowNs);
  }

  begin(standing = false): void {
    this.#note(() => this.authority.begin(1, this.moment, this.effects, standing));
  }

  #note(act: () => void): void {
    const { length } = this.commands;
    act();
    const latestNs = T0 + this.nowNs + MS;
    const sent = this.commands.slice(length);
    this.immediate.push(...sent.filter((command) => stampsOf(command).valid <= latestNs));
  }

  run(ns: bigint, each: () => void = () => undefined): void {
    const endNs = this.nowNs + ns;
    for (;;) {
      const { nextAtNs } = this.authority;
      if (nextAtNs === null || nextAtNs > endNs) break;
      if (nextAtNs > this.nowNs) this.nowNs = nextAtNs;
      each();
      this.#note(() => this.authority.act(this.moment, this.effects));
    }
    this.nowNs = endNs;
  }

  get commands(): Command[] {
    return only(this.effects, 'commandVehicle').map(({ command }) => command);
  }

  get outcomes(): string[] {
    return only(this.effects, 'vehicleStopped').map(({ outcome }) => outcome);
  }
}

const stampNow = () => T0;

function path(speed: number, createNs = stampNow(), validNs = createNs): Command {
  const { header } = speedCommand(1, createNs, validNs).message;
  const points = [
    { pose, s: 0 },
    { pose: { ...pose, x: 4 }, s: 4 },
  ];
  return { kind: 'pathTracking', message: { vehicle_id: 1, header, path: points, speed } };
}

function straight(speed: number, createNs = stampNow()): Command {
  const { header } = speedCommand(1, createNs).message;
  const trajectory_points = Array.from({ length: 12 }, (_, i) => ({
    t: { nanoseconds: createNs + BigInt(i - 1) * 300n * MS },
    px: (speed * (i - 1) * 300) / 1000,
    py: 0,
    vx: speed,
    vy: 0,
  }));
  return { kind: 'trajectory', message: { vehicle_id: 1, header, trajectory_points } };
}

/** The speed that a command asks for at the first instant at which it holds, m/s. */
function speedOf(command: Command): number {
  switch (command.kind) {
    case 'direct':
      return Math.abs(command.message.motor_throttle);
    case 'speedCurvature':
    case 'pathTracking':
      return Math.abs(command.message.speed);
    case 'trajectory':
      return Math.max(
        0,
        ...command.message.trajectory_points.map(({ vx, vy }) => Math.hypot(vx, vy)),
      );
  }
}

const stampsOf = ({ message: { header } }: Command) => ({
  create: header.create_stamp.nanoseconds,
  valid: header.valid_after_stamp.nanoseconds,
});

describe('a stop', () => {
  it('begins at the lower one of commanded and measured speed', () => {
    for (const [commanded, measured, first] of [
      [2, 1.5, 1.5],
      [1, 1.8, 1],
      [2, 0.01, 0],
    ] as const) {
      const bench = new Bench();
      bench.observe(measured);
      bench.forward(path(commanded));
      bench.begin();
      expect(bench.commands.map(speedOf)).toEqual([first]);
    }
  });

  it('is to stand still where the last command is older than the time-out of the vehicle', () => {
    const bench = new Bench();
    bench.forward(path(1));
    bench.nowNs = S + 1n;
    bench.begin();
    bench.run(S);
    expect(new Set(bench.commands.map(speedOf))).toEqual(new Set([0]));
  });

  it.each([
    { states: 'that never came', seenFromNs: null },
    { states: 'that end with the stop', seenFromNs: 0n },
    { states: 'that ended 300 ms before', seenFromNs: -300n * MS },
  ])('of a plan ends one braking distance on, with states $states', ({ seenFromNs }) => {
    const bench = new Bench();
    bench.forward(straight(1));
    bench.nowNs = 600n * MS;
    if (seenFromNs !== null) {
      const seenNs = bench.nowNs + seenFromNs;
      const x = Number(seenNs) / 1e9;
      bench.authority.observe(1, { speedMps: 1, pose: { ...pose, x } }, seenNs);
    }
    bench.begin();
    bench.run(2n * S);
    const ends = bench.commands.map((command) =>
      command.kind === 'trajectory' ? (command.message.trajectory_points.at(-1)?.px ?? NaN) : NaN,
    );
    // At 0.6 m when the stop begins; 1 m/s and 2 m/s² are 0.25 m. The vehicle responds a little later.
    expect(Math.min(...ends)).toBeGreaterThan(0.84);
    expect(Math.max(...ends)).toBeLessThan(0.88);
  });

  it('of a vehicle that stands already waits for the states that say where', () => {
    const bench = new Bench();
    bench.forward(straight(1));
    bench.nowNs = 100n * MS;
    bench.observe(1, 0.1);
    bench.nowNs = 3n * S;
    bench.begin(true);
    bench.run(S);
    expect(bench.commands).toEqual([]);
    bench.observe(0, 0.4);
    bench.run(S);
    const places = bench.commands.flatMap((command) =>
      command.kind === 'trajectory' ? command.message.trajectory_points.map(({ px }) => px) : [],
    );
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place).toBeCloseTo(0.4, 6);
  });

  it.each([
    { time: 'real', stateAgeNs: 0n, commands: 1 },
    { time: 'real', stateAgeNs: 50n * MS, commands: 1 },
    { time: 'real', stateAgeNs: 51n * MS, commands: 0 },
    { time: 'simulated', stateAgeNs: 10n * S, commands: 1 },
  ] as const)(
    'of a vehicle that obeys nothing sends $commands commands at once in $time time with a state of $stateAgeNs ns before',
    ({ time, stateAgeNs, commands }) => {
      const bench = new Bench(cpmLabVehicle, time);
      bench.forward(straight(1));
      bench.nowNs = 20n * S - stateAgeNs;
      bench.observe(0, 0.4);
      bench.nowNs = 20n * S;
      bench.begin();
      expect(bench.commands).toHaveLength(commands);
      bench.run(50n * MS);
      expect(bench.commands).toHaveLength(commands + 1);
    },
  );

  it('goes on from the last command however old where the vehicle has no time-out', () => {
    const bench = new Bench({ ...cpmLabVehicle, timeoutNs: null });
    bench.forward(path(1));
    bench.nowNs = 60n * S;
    bench.begin();
    expect(bench.commands.map(speedOf)).toEqual([1]);
  });

  it('slows down by the braking deceleration, ends at 0, and says so for a second', () => {
    const bench = new Bench();
    bench.forward(path(8));
    bench.begin();
    bench.run(10n * S);
    const speeds = bench.commands.map(speedOf);
    // 8 m/s at 2 m/s², a command each 50 ms: 80 steps of 0.1 m/s, then 0 for a second.
    for (const [i, speed] of speeds.slice(0, 80).entries())
      expect(speed).toBeCloseTo(8 - i * 0.1, 6);
    expect(speeds.slice(81).every((v) => v === 0)).toBe(true);
    expect(speeds.length).toBeGreaterThanOrEqual(80 + 20);
    expect(bench.outcomes).toEqual(['silent']);
  });

  it('follows a vehicle that brakes faster', () => {
    const bench = new Bench();
    bench.forward(path(2));
    bench.observe(2);
    bench.begin();
    bench.run(100n * MS, () => bench.observe(0.5));
    expect(bench.commands.map(speedOf)).toEqual([2, 0.5, 0.4]);
  });

  it('goes on while the speed sensor shows rest and the pose moves', () => {
    const bench = new Bench();
    bench.forward(path(1));
    let x = 0;
    bench.begin();
    bench.run(5n * S, () => bench.observe(0, (x += 0.02)));
    expect(bench.outcomes).toEqual([]);
    bench.run(2n * S, () => bench.observe(0, x));
    expect(bench.outcomes).toEqual(['atRest']);
  });

  it('begins again when the vehicle moves after it', () => {
    const bench = new Bench();
    bench.forward(path(1));
    bench.begin();
    bench.run(3n * S, () => bench.observe(0));
    expect(bench.outcomes).toEqual(['atRest']);
    const { length } = bench.commands;
    bench.run(S, () => bench.observe(0.3));
    expect(bench.commands.length).toBeGreaterThan(length + 15);
    expect(bench.commands.slice(length).map(speedOf)).toEqual(
      bench.commands.slice(length).map(() => 0),
    );
  });

  it('covers every kind in force at once, and at speed 0 every kind that was ever forwarded', () => {
    const bench = new Bench();
    const { message } = speedCommand(1, T0);
    const direct = {
      kind: 'direct',
      message: { ...message, motor_throttle: 0.3, steering_servo: 0 },
    } as const;
    bench.forward(direct);
    bench.nowNs = 5n * S;
    bench.forward(speedCommand(1, T0 + 5n * S));
    bench.forward(path(1, T0 + 5n * S));
    bench.begin();
    expect(bench.commands.map(({ kind }) => kind)).toEqual(['speedCurvature', 'pathTracking']);
    bench.run(S);
    const last = bench.commands.slice(-3).map(({ kind }) => kind);
    expect(last.sort()).toEqual(['direct', 'pathTracking', 'speedCurvature']);
  });

  it('outranks a command that holds from a later time, and lasts until that time is over', () => {
    const bench = new Bench();
    bench.observe(0);
    bench.forward(path(1, T0, T0 + 5n * S));
    bench.begin();
    bench.run(4n * S, () => bench.observe(0));
    expect(bench.outcomes).toEqual([]);
    const ahead = bench.commands.filter((command) => stampsOf(command).valid > T0 + 5n * S);
    expect(ahead.length).toBeGreaterThan(50);
    bench.run(3n * S, () => bench.observe(0));
    expect(bench.outcomes).toEqual(['atRest']);
  });

  it('outranks each of many commands that hold from later times, at once and when it is near', () => {
    const bench = new Bench();
    const aheadMs = Array.from({ length: 300 }, (_, i) => 3n * BigInt(i));
    for (const ms of aheadMs) bench.forward(path(1, T0 + ms, T0 + ms * MS));
    const outrankedMs = (command: Command) => (stampsOf(command).valid - T0 - 1n) / MS;
    bench.begin();
    const atOnce = new Set(bench.commands.map(outrankedMs));
    expect(aheadMs.slice(1).filter((ms) => !atOnce.has(ms))).toEqual([]);
    for (let sent = bench.commands.length; bench.nowNs < 800n * MS; sent = bench.commands.length) {
      bench.run(P);
      const repeated = new Set(bench.commands.slice(sent).map(outrankedMs));
      const nowMs = bench.nowNs / MS;
      const near = aheadMs.filter((ms) => ms > nowMs && ms < nowMs + 100n);
      expect(near.filter((ms) => !repeated.has(ms))).toEqual([]);
      expect(repeated.size).toBeLessThan(60);
    }
  });

  it('keeps a trajectory on its path, from where the vehicle is', () => {
    const bench = new Bench();
    bench.forward(straight(1));
    bench.nowNs = 500n * MS;
    // The vehicle is behind its plan, and slower.
    bench.observe(0.8, 0.4);
    bench.begin();
    const [command] = bench.commands;
    const points = command?.kind === 'trajectory' ? command.message.trajectory_points : [];
    expect(points[1]?.px).toBeCloseTo(0.4, 3);
    expect(points[1]?.vx).toBeCloseTo(0.8, 3);
    // 0.8 m/s at 2 m/s²: 0.16 m.
    expect(points.at(-1)).toMatchObject({ vx: 0, vy: 0 });
    expect(points.at(-1)?.px).toBeCloseTo(0.56, 3);
    for (const [i, point] of points.entries()) {
      expect(point.py).toBeCloseTo(0, 6);
      if (i > 0) expect(point.t.nanoseconds > (points[i - 1]?.t.nanoseconds ?? 0n)).toBe(true);
    }
  });

  it('goes on braking where another program commands rest of a kind that the vehicle does not obey', () => {
    const bench = new Bench();
    bench.forward(path(1));
    bench.forward(straight(1));
    bench.begin();
    bench.authority.stoppedElsewhere(path(0, stampNow() + MS), bench.moment);
    bench.run(100n * MS);
    const command = bench.commands.findLast(({ kind }) => kind === 'trajectory');
    const points = command?.kind === 'trajectory' ? command.message.trajectory_points : [];
    expect(points[1]?.vx).toBeCloseTo(0.8, 3);
  });

  it('lets a trajectory rest where the vehicle stands, not where the plan is', () => {
    const bench = new Bench();
    bench.forward(straight(1));
    bench.nowNs = 900n * MS;
    bench.observe(0, 0.1);
    bench.begin();
    const [command] = bench.commands;
    const points = command?.kind === 'trajectory' ? command.message.trajectory_points : [];
    expect(points.map(({ px, vx }) => [px, vx])).toEqual([0.1, 0.1, 0.1].map((px) => [px, 0]));
  });
});

describe('any stop', () => {
  const measurement = fc.record({
    speedMps: fc.oneof(
      fc.double({ min: -4, max: 4, noNaN: true }),
      fc.constantFrom(0, NaN, Infinity),
    ),
    x: fc.oneof(fc.double({ min: -4, max: 4, noNaN: true }), fc.constantFrom(NaN, 1e300)),
  });
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ pass: fc.bigInt({ min: 1n, max: 800n * MS }) }) },
    { weight: 3, arbitrary: measurement },
  );
  const profile = fc.constantFrom(cpmLabVehicle, { ...cpmLabVehicle, timeoutNs: null });

  it('never commands a speed that rises, ends at 0, and outranks all that was forwarded', () => {
    fc.assert(
      fc.property(
        profile,
        fc.array(fc.tuple(forwarding, fc.bigInt({ min: 0n, max: 400n * MS })), {
          minLength: 1,
          maxLength: 20,
        }),
        fc.array(step, { maxLength: 30 }),
        (vehicle, forwardings, steps) => {
          const bench = new Bench(vehicle);
          let newest = { create: -1n, valid: -1n };
          for (const [{ make }, afterNs] of forwardings) {
            const command = make(T0 + bench.nowNs);
            const { create, valid } = stampsOf(command);
            newest = {
              create: create > newest.create ? create : newest.create,
              valid: valid > newest.valid ? valid : newest.valid,
            };
            bench.forward(command);
            bench.nowNs += afterNs;
          }
          bench.begin();
          for (const one of steps) {
            if ('pass' in one) bench.run(one.pass);
            else bench.observe(one.speedMps, one.x);
          }
          bench.run(3n * S, () => bench.observe(0));
          const byKind = new Map<string, Command[]>();
          for (const command of bench.commands) {
            byKind.set(command.kind, [...(byKind.get(command.kind) ?? []), command]);
          }
          // Whatever was forwarded is covered.
          const kinds = new Set(forwardings.map(([{ make }]) => make(T0).kind));
          expect(new Set(byKind.keys())).toEqual(kinds);
          for (const commands of byKind.values()) {
            const [{ kind } = straight(1)] = commands;
            const speeds = bench.immediate.filter((c) => c.kind === kind).map(speedOf);
            for (const [i, speed] of speeds.entries()) {
              expect(Number.isFinite(speed)).toBe(true);
              if (i > 0) expect(speed).toBeLessThanOrEqual((speeds[i - 1] ?? 0) + 1e-6);
            }
            expect(speedOf(commands.at(-1) ?? straight(1))).toBe(0);
            const creates = commands.map((c) => stampsOf(c).create);
            for (const create of creates) expect(create > newest.create).toBe(true);
            const outranks = commands.some((c) => stampsOf(c).valid > newest.valid);
            expect(outranks || newest.valid < T0 + bench.nowNs).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is repeated at least every 50 ms until it is over', () => {
    fc.assert(
      fc.property(forwarding, fc.double({ min: 0, max: 4, noNaN: true }), ({ make }, speed) => {
        const bench = new Bench();
        bench.forward(make(T0));
        bench.observe(speed);
        bench.begin();
        let lastNs = bench.nowNs;
        bench.run(S, () => {
          expect(bench.nowNs - lastNs).toBeLessThanOrEqual(50n * MS);
          lastNs = bench.nowNs;
        });
        expect(bench.nowNs - lastNs).toBeLessThanOrEqual(50n * MS);
      }),
      { numRuns: 100 },
    );
  });

  it('comes in the order in which the vehicles were commanded, whatever was asked before', () => {
    const order = (asked: readonly number[]) => {
      const authority = new StopAuthority({ ...stops, profile: cpmLabVehicle }, P, 'real');
      const now = { steadyNs: 0n, stampNs: T0 };
      for (const id of asked) authority.sent(id);
      for (const id of [2, 1, 3]) authority.forwarded(speedCommand(id, T0), now);
      return authority.commandedIds;
    };
    expect(order([1, 2, 3])).toEqual(order([]));
  });
});
