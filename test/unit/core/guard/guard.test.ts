import { describe, expect, it } from 'vitest';
import { MS, only, S, speedCommand } from '../support.js';
import {
  GuardBench,
  LIMIT,
  LOOK,
  middleware,
  P,
  pathCommand,
  pathSpeedOf,
  speedOf,
} from './guard-bench.js';

/** A guard, and a middleware that drives vehicles 1 and 2. */
function driven() {
  const bench = new GuardBench();
  const first = middleware(1n, [1, 2, 3]);
  bench.drive(first, S, [1, 2]);
  expect(bench.commands).toEqual([]);
  bench.clear();
  return { bench, first };
}

/** The same, and the middleware has fallen silent. */
function stopped() {
  const { bench, first } = driven();
  bench.run(S);
  bench.clear();
  return { bench, first };
}

it('says which middleware it does not watch, since it watches as many as it can', () => {
  const bench = new GuardBench();
  for (let epoch = 1n; epoch <= 65n; epoch++) bench.status(middleware(epoch, [1]));
  expect(bench.changes.slice(-2)).toEqual(['begun', 'unwatched']);
  bench.status(middleware(64n, [1]), 'ended');
  bench.status(middleware(65n, [1]));
  expect(bench.changes.slice(-2)).toEqual(['ended', 'begun']);
});

describe('a guard', () => {
  it('stops the vehicles that were driven, three periods or 300 ms after the last status', () => {
    const { bench } = driven();
    // The last status is one period old.
    bench.run(LIMIT - P - 1n);
    expect(bench.commands).toEqual([]);
    bench.run(LOOK + 1n);
    expect(bench.commandedIds).toEqual([1, 2]);
    expect(only(bench.log, 'sessionChanged')).toMatchObject([
      { change: 'silent', sourceId: 'middleware', ids: [1, 2] },
    ]);
    expect(bench.guard.stops.map(({ id }) => id)).toEqual([1, 2]);
  });

  it.each([
    [null, 400n * MS, 1200n * MS],
    [null, 20n * MS, 300n * MS],
    [2n * S, 20n * MS, 2n * S],
  ])('waits for %s ns with a period of %s ns: %s ns', (afterNs, periodNs, limitNs) => {
    const bench = new GuardBench(afterNs);
    const only1 = middleware(1n, [1], { periodNs });
    bench.status(only1);
    bench.command(only1, 1);
    bench.run(limitNs - 1n);
    expect(bench.commands).toEqual([]);
    bench.run(LOOK + 1n);
    expect(bench.commandedIds).toEqual([1]);
  });

  it('brakes from the lower speed, never rises, ends at 0 and repeats until the vehicle stands', () => {
    const { bench } = driven();
    for (let i = 0; i < 40; i++) {
      bench.state(1, Math.max(0, 0.8 - i * 0.04));
      bench.run(P);
    }
    const speeds = bench.commands.filter(({ id }) => id === 1).map(speedOf);
    expect(speeds[0]).toBeLessThanOrEqual(0.8);
    for (const [i, speed] of speeds.entries())
      expect(speed).toBeLessThanOrEqual(speeds[i - 1] ?? 1);
    expect(speeds.at(-1)).toBe(0);
    expect(only(bench.log, 'vehicleStopped')).toMatchObject([
      { id: 1, outcome: 'atRest' },
      { id: 2, outcome: 'silent' },
    ]);
    bench.clear();
    bench.run(S);
    expect(bench.commands).toEqual([]);
    // It keeps the latch: a vehicle that moves again is stopped again.
    bench.state(1, 1);
    bench.run(P);
    expect(bench.commandedIds).toEqual([1]);
  });

  it('does nothing after a clean end', () => {
    const { bench, first } = driven();
    bench.status(first, 'ended');
    bench.run(5n * S);
    expect(bench.commands).toEqual([]);
    expect(bench.changes).toEqual(['ended']);
    expect(bench.guard.wakeAtNs).toBeNull();
    // Written before the end by another thread of the middleware.
    bench.status(first);
    bench.run(5n * S);
    expect(bench.commands).toEqual([]);
  });

  it('goes on when the end of a run is cut off', () => {
    const { bench, first } = driven();
    bench.status(first, 'stopping');
    bench.run(S);
    expect(bench.commandedIds).toEqual([1, 2]);
  });

  it('commands until a middleware that comes back takes over, and not after that', () => {
    const { bench, first } = stopped();
    const numbers = new Map(bench.guard.stops.map(({ id, number }) => [id, number]));
    bench.status(first);
    expect(bench.changes).toEqual(['back']);
    expect(bench.guard.stops).toHaveLength(2);
    // A command from before the middleware knew of the stop.
    bench.command(first, 1);
    bench.run(P);
    expect(bench.commands.filter(({ id }) => id === 1).map(speedOf)).toContain(0);
    for (const [id, number] of numbers) first.takenOver.set(id, number);
    bench.command(first, 2, 0);
    bench.status(first);
    expect(only(bench.log, 'takenOver')).toEqual([{ kind: 'takenOver', ids: [1, 2] }]);
    bench.clear();
    bench.drive(first, 2n * S);
    expect(bench.commands).toEqual([]);
    expect(bench.guard.stops).toEqual([]);
    // A second silence is a second stop, with a number of its own.
    bench.run(S);
    const [again] = bench.guard.stops;
    expect(again?.number).toBeGreaterThan(numbers.get(1) ?? 0n);
  });

  it('stops the vehicle again when the middleware that took over fails before its next command', () => {
    const { bench, first } = stopped();
    bench.status(first);
    for (const { id, number } of bench.guard.stops) first.takenOver.set(id, number);
    for (const id of [1, 2]) bench.command(first, id, 0.5);
    bench.status(first);
    expect(bench.guard.stops).toEqual([]);
    bench.clear();
    bench.run(S);
    expect(bench.commandedIds).toEqual([1, 2]);
  });

  it('keeps the stop for a middleware that is started again, and has not taken over', () => {
    const { bench } = stopped();
    const second = middleware(2n, [1, 2]);
    bench.drive(second, 2n * S, []);
    expect(bench.guard.stops.map(({ id }) => id)).toEqual([1, 2]);
    for (const { id, number } of bench.guard.stops) second.takenOver.set(id, number);
    for (const id of [1, 2]) bench.command(second, id, 0);
    bench.status(second);
    expect(bench.guard.stops).toEqual([]);
    bench.clear();
    bench.drive(second, S);
    expect(bench.commands).toEqual([]);
  });

  it('goes on until it has seen a command of the middleware that took over', () => {
    const { bench } = stopped();
    const second = middleware(2n, [1, 2]);
    bench.status(second);
    for (const { id, number } of bench.guard.stops) second.takenOver.set(id, number);
    bench.status(second);
    bench.state(1, 0.5);
    bench.clear();
    bench.run(P);
    expect(bench.commandedIds).toEqual([1, 2]);
    bench.command(second, 2, 0);
    bench.status(second);
    expect(bench.guard.stops.map(({ id }) => id)).toEqual([1]);
  });

  it('lets go of a vehicle that stands, where the middleware that took over sends nothing', () => {
    const { bench } = stopped();
    const second = middleware(2n, [1, 2]);
    for (const { id, number } of bench.guard.stops) second.takenOver.set(id, number);
    for (let t = 0n; t < 3n * S; t += P) {
      for (const id of [1, 2]) bench.state(id, 0);
      bench.status(second);
      bench.run(P);
    }
    expect(bench.guard.stops).toEqual([]);
  });

  it.each([
    { outranks: false, stands: [0] },
    { outranks: true, stands: [] },
  ])(
    'leaves no command above speed 0 in force for a middleware that takes over (its own is newer: $outranks)',
    ({ outranks, stands }) => {
      const bench = new GuardBench();
      const first = middleware(1n, [1]);
      for (let t = 0n; t < S; t += P) {
        bench.status(first);
        bench.send(first, pathCommand(bench.clocks.realtimeNs, 1));
        bench.state(1, 1);
        bench.run(P);
      }
      bench.run(400n * MS);
      const last = bench.commands.at(-1);
      expect(last && pathSpeedOf(last.command)).toBeGreaterThan(0.5);
      const brakesFromNs = last?.command.message.header.create_stamp.nanoseconds ?? 0n;
      const stopNs = brakesFromNs + (outranks ? MS : -MS);
      bench.send(first, pathCommand(stopNs, 0));
      for (const { id, number } of bench.guard.stops) first.takenOver.set(id, number);
      bench.clear();
      const sent = {
        kinds: ['pathTracking'],
        newestCreateNs: stopNs,
        newestValidNs: stopNs,
      } as const;
      bench.status(first, 'running', [{ id: 1, ...sent, obeyedUntilNs: null }]);
      expect(bench.guard.stops).toEqual([]);
      bench.run(2n * P);
      expect(bench.commands.map(({ command }) => pathSpeedOf(command))).toEqual(stands);
      for (const { command } of bench.commands) {
        expect(command.message.header.create_stamp.nanoseconds).toBeGreaterThan(brakesFromNs);
      }
    },
  );

  it('publishes what was sent to a vehicle, its own commands included', () => {
    const { bench } = stopped();
    bench.run(P);
    const [stop] = bench.guard.stops;
    const newest = bench.commands.findLast(({ id }) => id === 1)?.command;
    expect(stop?.kinds).toEqual(['speedCurvature']);
    expect(stop?.newestCreateNs).toBe(newest?.message.header.create_stamp.nanoseconds);
  });

  it('stops what an earlier session drove, though the next one begins at once', () => {
    const { bench } = driven();
    const second = middleware(2n, [1, 2]);
    bench.drive(second, 2n * S, [2]);
    // Vehicle 2 is driven by the second one.
    expect(bench.commandedIds).toEqual([1]);
    bench.status(second, 'ended');
    bench.clear();
    bench.run(2n * S);
    expect(bench.guard.stops.map(({ id }) => id)).toEqual([1]);
  });

  it('leaves the vehicles of another middleware alone', () => {
    const { bench } = driven();
    const other = middleware(2n, [7]);
    for (let i = 0; i < 40; i++) bench.drive(other, P);
    expect(bench.commandedIds).toEqual([1, 2]);
  });

  it('watches on for a middleware whose vehicles another one drives, and stops them when that dies', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1, 2], { sourceId: 'one' });
    const two = middleware(2n, [1, 2], { sourceId: 'two' });
    for (let i = 0; i < 20; i++) {
      bench.status(one);
      for (const id of one.ids) bench.command(one, id);
      bench.drive(two, P);
    }
    // The second one dies before the silence of the first one is decided.
    bench.drive(two, P);
    bench.run(LIMIT - P - LOOK);
    expect(bench.guard.stops).toEqual([]);
    expect(bench.guard.watches('one')).toBe(true);
    bench.run(4n * LOOK);
    expect(bench.guard.stops.map(({ id }) => id)).toEqual([1, 2]);
    expect(bench.guard.watches('one')).toBe(true);
  });

  it('watches no longer for a middleware when the one that drives its vehicles has ended', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1], { sourceId: 'one' });
    const two = middleware(2n, [1], { sourceId: 'two' });
    bench.drive(one, 4n * P);
    bench.drive(two, S);
    expect(bench.guard.watches('one')).toBe(true);
    bench.status(two, 'ended');
    bench.run(S);
    expect(bench.guard.watches('one')).toBe(false);
  });

  it('leaves vehicles alone that another program commands', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1]);
    bench.status(one);
    bench.command(middleware(9n, []), 1);
    bench.command(middleware(9n, []), 8);
    bench.run(2n * S);
    expect(bench.commands).toEqual([]);
    expect(only(bench.log, 'sessionChanged').at(-1)).toMatchObject({ change: 'silent', ids: [] });
  });

  it('stops a vehicle by the status alone, when no command reached the guard', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1]);
    const stampNs = bench.clocks.realtimeNs + 700n * MS;
    const sent = { newestCreateNs: stampNs, newestValidNs: stampNs, obeyedUntilNs: null };
    bench.status(one, 'running', [{ id: 1, kinds: ['direct'], ...sent }]);
    bench.run(S);
    const [first] = bench.commands;
    expect(first?.command.kind).toBe('direct');
    expect(first?.command.message.header.create_stamp.nanoseconds).toBeGreaterThan(stampNs);
  });

  it('drives no vehicle at rest to its pose by a trajectory, unless it has seen it move', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1]);
    const stampNs = bench.clocks.realtimeNs;
    const sent = { newestCreateNs: stampNs, newestValidNs: stampNs, obeyedUntilNs: null };
    const kinds = ['trajectory'] as const;
    const seenAt = (x: number, speedMps: number) => {
      const { realtimeNs: createStampNs } = bench.clocks;
      const motion = { speedMps, pose: { x, y: 0, yaw: 0 }, createStampNs };
      bench.guard.vehicleState(1, motion, bench.clocks.read());
      bench.run(20n * MS);
    };
    bench.status(one, 'running', [{ id: 1, kinds, ...sent }]);
    // Another guard, or this one before, holds it by a trajectory to a place where its pose is not.
    for (let i = 0; i < 100; i++) seenAt(0, 0);
    expect(bench.guard.stops.map(({ id }) => id)).toEqual([1]);
    expect(bench.commands).toEqual([]);
    for (let i = 0; i < 20; i++) seenAt(i / 50, 1);
    expect(bench.commandedIds).toEqual([1]);
  });

  it('stops a vehicle that was commanded after the last status, before one names it', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1]);
    bench.status(one);
    bench.command(one, 1);
    bench.command(one, 7);
    bench.command(middleware(9n, []), 8);
    bench.state(7, 1);
    bench.run(S);
    expect(bench.commandedIds).toEqual([1, 7]);
    expect(bench.guard.stops.map(({ id }) => id)).toEqual([1, 7]);
  });

  it('brakes as its middleware does where that goes on with its own stop', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1]);
    const follow = (speed: number) => {
      const path = pathCommand(bench.clocks.realtimeNs, speed);
      bench.guard.command(path, one.participant, bench.clocks.read());
    };
    bench.status(one);
    follow(2);
    bench.run(LIMIT + LOOK);
    // 2 m/s², a little behind the guard.
    for (let speed = 2; speed > 0; speed -= 0.1) {
      follow(speed);
      bench.run(P);
    }
    const speeds = bench.commands.map(({ command }) => pathSpeedOf(command));
    for (const [i, speed] of speeds.entries()) {
      expect(speed).toBeLessThanOrEqual(speeds[i - 1] ?? 2);
    }
    expect(speeds.filter((speed) => speed > 0.2).length).toBeGreaterThan(15);
    expect(speeds.at(-1)).toBe(0);
    // A command to drive is answered with speed 0 at once.
    bench.clear();
    follow(0.05);
    bench.run(1n);
    expect(bench.commands.map(({ command }) => pathSpeedOf(command))).toEqual([0]);
  });

  it('commands nothing after a pause of its own before it has seen what came meanwhile', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1]);
    bench.status(one);
    const { realtimeNs } = bench.clocks;
    bench.guard.command(pathCommand(realtimeNs, 2), one.participant, bench.clocks.read());
    bench.run(LIMIT + LOOK);
    expect(bench.commands.length).toBeGreaterThan(0);
    bench.clear();
    bench.clocks.monotonicNs += 500n * MS;
    bench.wake();
    expect(bench.commands).toEqual([]);
    const later = bench.clocks.realtimeNs;
    bench.guard.command(pathCommand(later, 0), 'participant 2', bench.clocks.read());
    bench.run(99n * MS);
    expect(bench.commands).toEqual([]);
    bench.run(MS);
    expect(bench.commands.map(({ command }) => pathSpeedOf(command))).toEqual([0]);
  });

  it('goes on after a pause of its own, though it wakes up a little late', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1]);
    bench.status(one);
    bench.command(one, 1);
    bench.run(LIMIT + LOOK);
    bench.clear();
    bench.clocks.monotonicNs += 500n * MS;
    bench.wake();
    const backAtNs = bench.clocks.monotonicNs;
    while (bench.commands.length === 0 && bench.clocks.monotonicNs - backAtNs < S) {
      bench.clocks.monotonicNs = (bench.guard.wakeAtNs ?? 0n) + MS / 10n;
      bench.wake();
    }
    expect(bench.clocks.monotonicNs - backAtNs).toBeLessThan(110n * MS);
  });

  it('stops the vehicles though each of its wake-ups comes too late', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1]);
    bench.status(one);
    bench.command(one, 1);
    const begunNs = bench.clocks.monotonicNs;
    while (bench.clocks.monotonicNs - begunNs < 10n * S) {
      bench.clocks.monotonicNs = (bench.guard.wakeAtNs ?? 0n) + 200n * MS;
      bench.wake();
    }
    const [first] = bench.commands;
    // Each second wake-up counts as 50 ms of silence.
    expect((first?.atNs ?? 0n) - begunNs).toBeLessThan(3n * S);
    expect(bench.commands.map(speedOf).at(-1)).toBe(0);
    const gapsNs = bench.commands
      .slice(1)
      .map(({ atNs }, i) => atNs - (bench.commands[i]?.atNs ?? 0n));
    expect(gapsNs.every((ns) => ns <= 450n * MS)).toBe(true);
  });

  it('does not count the time in which it stood still itself', () => {
    const { bench, first } = driven();
    bench.clocks.monotonicNs += 60n * S;
    bench.wake();
    expect(bench.commands).toEqual([]);
    bench.drive(first, S);
    expect(bench.commands).toEqual([]);
    bench.clocks.monotonicNs += 60n * S;
    bench.run(LIMIT + LOOK);
    expect(bench.commandedIds).toEqual([1, 2, 3]);
  });

  it('stops no vehicle in simulated time, and forgets a silent middleware at once', () => {
    const bench = new GuardBench();
    const simulated = middleware(1n, [1], { simulated: true });
    bench.status(simulated);
    bench.command(simulated, 1);
    bench.run(3n * S);
    expect(bench.commands).toEqual([]);
    expect(bench.guard.wakeAtNs).toBeNull();
  });

  it('knows the middleware of a command by the vehicle, where writers have no names', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1], { participant: null });
    bench.status(one);
    bench.command(one, 1);
    bench.command(one, 5);
    bench.run(S);
    expect(bench.commandedIds).toEqual([1]);
  });

  it('ignores stamps that nothing could outrank', () => {
    const bench = new GuardBench();
    const one = middleware(1n, [1]);
    bench.status(one);
    bench.guard.command(speedCommand(1, 2n ** 63n), one.participant, bench.clocks.read());
    bench.run(S);
    expect(bench.commands).toEqual([]);
  });
});

/** What may happen to one of two middlewares, for a number of looks. */
