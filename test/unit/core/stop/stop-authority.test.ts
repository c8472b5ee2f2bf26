import { describe, expect, it } from 'vitest';
import { cpmLabVehicle, type Command } from '../../../../src/core/index.js';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { MS, only, S, speedCommand, stops, type TestEffect } from '../support.js';
import { T0 } from './motion-arbitraries.js';
import { P, path, speedOf, stampsOf, StopBench, straight, pose, stampNow } from './stop-bench.js';

describe('a stop', () => {
  it('begins at the lower one of commanded and measured speed', () => {
    for (const [commanded, measured, first] of [
      [2, 1.5, 1.5],
      [1, 1.8, 1],
      [2, 0.01, 0],
    ] as const) {
      const bench = new StopBench();
      bench.observe(measured);
      bench.forward(path(commanded));
      bench.begin();
      expect(bench.commands.map(speedOf)).toEqual([first]);
    }
  });

  it.each([
    [-2, 1.5],
    [2, -1.5],
  ])(
    'stands still where %i m/s was commanded and the vehicle drives the other way',
    (v, measured) => {
      const bench = new StopBench();
      bench.observe(measured);
      bench.forward(path(v));
      bench.begin();
      bench.run(S);
      expect(new Set(bench.commands.map(speedOf))).toEqual(new Set([0]));
    },
  );

  it.each([1.7e308, -1.7e308, Infinity, NaN, 101])(
    'stands still where %d m/s was commanded',
    (v) => {
      const bench = new StopBench();
      bench.forward(path(v));
      bench.begin();
      bench.run(S);
      expect(new Set(bench.commands.map(speedOf))).toEqual(new Set([0]));
    },
  );

  it('rests at the last place of a plan whose speeds are none, without states', () => {
    const plan = straight(1);
    if (plan.kind !== 'trajectory') throw new Error('It is a trajectory.');
    const trajectory_points = plan.message.trajectory_points.map((point) => ({
      ...point,
      vx: 1.7e308,
    }));
    const bench = new StopBench();
    bench.forward({ kind: 'trajectory', message: { ...plan.message, trajectory_points } });
    bench.nowNs = 650n * MS;
    bench.begin();
    const places = bench.commands.flatMap((command) =>
      command.kind === 'trajectory' ? command.message.trajectory_points.map(({ px }) => px) : [],
    );
    expect(new Set(places)).toEqual(new Set([0.6]));
  });

  it('brakes backwards as it does forwards', () => {
    const bench = new StopBench();
    bench.observe(-1.5);
    bench.forward(path(-2));
    bench.begin();
    expect(bench.commands).toMatchObject([{ message: { speed: -1.5 } }]);
  });

  it('is to stand still where the last command is older than the time-out of the vehicle', () => {
    const bench = new StopBench();
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
    const bench = new StopBench();
    bench.forward(straight(1));
    bench.nowNs = 600n * MS;
    if (seenFromNs !== null) {
      const seenNs = bench.nowNs + seenFromNs;
      const x = Number(seenNs) / 1e9;
      const createStampNs = T0 + seenNs;
      const at = { steadyNs: seenNs, stampNs: createStampNs };
      bench.authority.observe(1, { speedMps: 1, pose: { ...pose, x }, createStampNs }, at);
    }
    bench.begin();
    bench.run(2n * S);
    const ends = bench.commands.map((command) =>
      command.kind === 'trajectory' ? (command.message.trajectory_points.at(-1)?.px ?? NaN) : NaN,
    );
    // At 0.6 m when the stop begins; 1 m/s and 2 m/s² are 0.25 m. The vehicle responds late, and lags
    // behind the falling speed: up to 0.075 m.
    expect(Math.min(...ends)).toBeGreaterThan(0.84);
    expect(Math.max(...ends)).toBeLessThan(0.93);
  });

  describe('of a plan, when the states showed rest from one to the next', () => {
    /** It drives at 1 m/s for 0.6 s, then its states show these speeds 20 ms apart. */
    const stopped = (speeds: readonly number[]) => {
      const bench = new StopBench();
      bench.forward(straight(1));
      for (; bench.nowNs <= 600n * MS; bench.nowNs += 20n * MS)
        bench.observe(1, Number(bench.nowNs) / 1e9);
      let x = 0.6;
      for (const speed of speeds) {
        bench.observe(speed, x);
        bench.nowNs += 20n * MS;
        x += speed * 0.02;
      }
      bench.begin();
      return bench.commands;
    };
    const endOf = ([first]: Command[]) =>
      first?.kind === 'trajectory' ? first.message.trajectory_points.at(-1)?.px : undefined;
    const atOnce = Array.from({ length: 15 }, () => 0);

    it('rests where it was seen: an obstacle may have stopped it', () => {
      // At 0.92 m by the plan.
      expect(endOf(stopped(atOnce))).toBeCloseTo(0.6, 2);
    });

    it('rests where it was seen after it braked as a vehicle can', () => {
      const braking = Array.from({ length: 10 }, (_, i) => 0.9 - i / 10);
      expect(endOf(stopped([...braking, ...atOnce]))).toBeCloseTo(0.69, 2);
    });

    it('stands still at once on a path', () => {
      const bench = new StopBench();
      bench.forward(path(1));
      bench.observe(1);
      bench.nowNs += 20n * MS;
      bench.observe(0);
      bench.begin();
      expect(bench.commands.map(speedOf)).toEqual([0]);
    });
  });

  it('of a vehicle that the pacer brakes names no place before it is at rest', () => {
    const bench = new StopBench();
    bench.forward(straight(1));
    bench.nowNs = 400n * MS;
    bench.observe(1, 0.4);
    bench.begin('byPacer');
    // It brakes from 1 m/s at 2 m/s².
    let x = 0.4;
    for (const speed of [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]) {
      x += speed * 0.05;
      bench.run(50n * MS, () => bench.observe(speed, x));
      expect(bench.commands).toEqual([]);
    }
    bench.run(500n * MS, () => bench.observe(0, x));
    const places = bench.commands.flatMap((command) =>
      command.kind === 'trajectory' ? command.message.trajectory_points.map(({ px }) => px) : [],
    );
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place).toBeCloseTo(x, 6);
  });

  it('of a vehicle that stands already waits for the states that say where', () => {
    const bench = new StopBench();
    bench.forward(straight(1));
    bench.nowNs = 100n * MS;
    bench.observe(1, 0.1);
    bench.nowNs = 3n * S;
    bench.begin('yes');
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

  it('counts where a vehicle stood for 0.25 s, unless its plan has not led it away', () => {
    const authority = new StopAuthority({ ...stops, profile: cpmLabVehicle }, S, 'real');
    const effects: TestEffect[] = [];
    const at = (nowNs: bigint) => ({ steadyNs: nowNs, stampNs: T0 + nowNs });
    authority.forwarded(straight(1), at(0n));
    authority.observe(1, { speedMps: 0, pose, createStampNs: 0n }, at(0n));
    authority.begin(1, at(900n * MS), effects);
    authority.act(at(950n * MS), effects);
    const ends = only(effects, 'commandVehicle').map(({ command }) =>
      command.kind === 'trajectory' ? command.message.trajectory_points.at(-1)?.px : undefined,
    );
    expect(ends).toHaveLength(2);
    // At 0.9 m by the plan; not back at 0.
    for (const end of ends) expect(end).toBeGreaterThan(0.9);
  });

  it.each([
    { time: 'real', stateAgeNs: 0n, commands: 1 },
    { time: 'real', stateAgeNs: 50n * MS, commands: 1 },
    { time: 'real', stateAgeNs: 51n * MS, commands: 0 },
    { time: 'simulated', stateAgeNs: 10n * S, commands: 1 },
  ] as const)(
    'of a vehicle that obeys nothing sends $commands commands at once in $time time with a state of $stateAgeNs ns before',
    ({ time, stateAgeNs, commands }) => {
      const bench = new StopBench(cpmLabVehicle, time);
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
    const bench = new StopBench({ ...cpmLabVehicle, timeoutNs: null });
    bench.forward(path(1));
    bench.nowNs = 60n * S;
    bench.begin();
    expect(bench.commands.map(speedOf)).toEqual([1]);
  });

  it('slows down by the braking deceleration, ends at 0, and says so for a second', () => {
    const bench = new StopBench();
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
    const bench = new StopBench();
    bench.forward(path(2));
    bench.observe(2);
    bench.begin();
    bench.run(100n * MS, () => bench.observe(0.5));
    expect(bench.commands.map(speedOf)).toEqual([2, 0.5, 0.4]);
  });

  it('goes on while the speed sensor shows rest and the pose moves', () => {
    const bench = new StopBench();
    bench.forward(path(1));
    let x = 0;
    bench.begin();
    bench.run(5n * S, () => bench.observe(0, (x += 0.02)));
    expect(bench.outcomes).toEqual([]);
    bench.run(2n * S, () => bench.observe(0, x));
    expect(bench.outcomes).toEqual(['atRest']);
  });

  it('begins again when the vehicle moves after it', () => {
    const bench = new StopBench();
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
    expect(only(bench.effects, 'vehicleMovesAgain')).toEqual([
      { kind: 'vehicleMovesAgain', id: 1 },
    ]);
  });

  it('does not say that a vehicle moves which is stopped by another program, or seen again', () => {
    const bench = new StopBench();
    bench.forward(path(1));
    bench.begin();
    bench.run(3n * S, () => bench.observe(0));
    expect(bench.outcomes).toEqual(['atRest']);
    bench.begin('yes');
    bench.run(3n * S, () => bench.observe(0));
    bench.run(3n * S);
    bench.run(3n * S, () => bench.observe(0));
    expect(only(bench.effects, 'vehicleMovesAgain')).toEqual([]);
  });

  it('answers the first state after a while without states at once', () => {
    const bench = new StopBench();
    bench.observe(1);
    bench.forward(path(1));
    bench.begin();
    bench.run(320n * MS);
    expect(bench.authority.nextAtNs).toBe(350n * MS);
    bench.observe(1);
    expect(bench.authority.nextAtNs).toBe(320n * MS);
    bench.run(0n);
    bench.observe(1);
    expect(bench.authority.nextAtNs).toBe(350n * MS);
  });

  it('covers every kind in force at once, and at speed 0 every kind that was ever forwarded', () => {
    const bench = new StopBench();
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

  it('covers all kinds of a reply whose time ends between them', () => {
    const bench = new StopBench();
    bench.forward(speedCommand(1, T0));
    bench.nowNs = MS;
    bench.forward(path(1, T0 + MS));
    bench.nowNs = S + MS / 2n;
    bench.begin();
    expect(bench.commands.map(({ kind }) => kind)).toEqual(['speedCurvature', 'pathTracking']);
  });

  it('outranks a command that holds from a later time, and lasts until that time is over', () => {
    const bench = new StopBench();
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
    const bench = new StopBench();
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

  it('answers a command in spite of the stop with few, however many wait for their time', () => {
    const bench = new StopBench();
    for (let i = 1n; i <= 2000n; i++) bench.forward(path(1, T0 + i, T0 + 1000n * S + i * MS));
    bench.observe(0);
    bench.begin();
    expect(bench.commands.length).toBeGreaterThan(1000);
    const { length } = bench.commands;
    for (let i = 1n; i <= 10n; i++) {
      bench.run(2n * P);
      bench.forward(path(1, T0 + bench.nowNs, T0 + 2000n * S + i * MS));
    }
    bench.run(P);
    const outranked = new Set(bench.commands.slice(length).map((it) => stampsOf(it).valid));
    for (let i = 1n; i <= 10n; i++) expect(outranked).toContain(T0 + 2000n * S + i * MS + 1n);
    expect(bench.commands.length - length).toBeLessThan(100);
  });

  it('keeps a trajectory on its path, from where the vehicle is', () => {
    const bench = new StopBench();
    bench.forward(straight(1));
    bench.nowNs = 500n * MS;
    // The vehicle is behind its plan, and slower.
    bench.observe(0.8, 0.3);
    bench.begin();
    const [command] = bench.commands;
    const points = command?.kind === 'trajectory' ? command.message.trajectory_points : [];
    expect(points[1]?.px).toBeCloseTo(0.3, 3);
    expect(points[1]?.vx).toBeCloseTo(0.8, 3);
    // 0.8 m/s at 2 m/s²: 0.16 m.
    expect(points.at(-1)).toMatchObject({ vx: 0, vy: 0 });
    expect(points.at(-1)?.px).toBeCloseTo(0.46, 3);
    for (const [i, point] of points.entries()) {
      expect(point.py).toBeCloseTo(0, 6);
      if (i > 0) expect(point.t.nanoseconds > (points[i - 1]?.t.nanoseconds ?? 0n)).toBe(true);
    }
  });

  it('goes on braking where another program commands rest of a kind that the vehicle does not obey', () => {
    const bench = new StopBench();
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
    const bench = new StopBench();
    bench.forward(straight(1));
    bench.nowNs = 900n * MS;
    bench.observe(0, 0.1);
    bench.begin();
    const [command] = bench.commands;
    const points = command?.kind === 'trajectory' ? command.message.trajectory_points : [];
    expect(points.map(({ px, vx }) => [px, vx])).toEqual([0.1, 0.1, 0.1].map((px) => [px, 0]));
  });
});

it('In simulated time a stop begins where the plan is at the time of the simulation', () => {
  const authority = new StopAuthority(stops, 100n * MS, 'simulated');
  authority.forwarded(straight(1, T0), { steadyNs: 0n, stampNs: T0 });
  // The controller of the step after it hangs: time stands, and the vehicle does.
  const now = { steadyNs: 600n * MS, stampNs: T0 + 100n * MS };
  const effects: TestEffect[] = [];
  authority.begin(1, now, effects);
  const commands = only(effects, 'commandVehicle').map(({ command }) => command);
  const still = authority.standStill(1, now).map(({ command }) => command);
  for (const command of [commands[0], still[0]]) {
    if (command?.kind !== 'trajectory') expect.fail('no trajectory');
    const begin = command.message.trajectory_points.find(({ t }) => t.nanoseconds === now.stampNs);
    // It brakes in the time of the simulation, whenever that goes on.
    expect(begin?.px).toBeCloseTo(0.1, 2);
    expect(begin?.vx).toBeCloseTo(1, 2);
  }
});
