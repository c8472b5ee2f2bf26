import { describe, expect, it } from 'vitest';
import { base, MS, only, S } from '../support.js';
import { GuardBench, LIMIT, LOOK, middleware } from './guard-bench.js';

const pose = { x: 0, y: 0, yaw: 0 };

/** A guard, and vehicle 1, which follows a path at 1 m/s; the last status of its middleware came now. */
function driven() {
  const bench = new GuardBench();
  const one = middleware(1n, [1]);
  bench.status(one);
  const points = [
    { pose, s: 0 },
    { pose: { ...pose, x: 9 }, s: 9 },
  ];
  const message = { ...base(1, bench.clocks.realtimeNs), path: points, speed: 1 };
  bench.guard.command({ kind: 'pathTracking', message }, one.participant, bench.clocks.read());
  bench.state(1, 1);
  return { bench, one };
}

const speeds = ({ commands }: GuardBench) =>
  commands.map(({ command }) => (command.kind === 'pathTracking' ? command.message.speed : NaN));

const ended = ({ log }: GuardBench) => only(log, 'guardEnded').map(({ moving }) => moving);

/** Runs the guard until it is over, on a vehicle that obeys; gives how long that takes, ns. */
function untilOver(bench: GuardBench): bigint {
  const fromNs = bench.clocks.monotonicNs;
  while (ended(bench).length === 0) {
    bench.state(1, speeds(bench).at(-1) ?? 1);
    bench.run(LOOK);
  }
  return bench.clocks.monotonicNs - fromNs;
}

describe('a guard that is to end', () => {
  it('ends at once when it watches no middleware', () => {
    const bench = new GuardBench();
    bench.end();
    expect(bench.log).toEqual([{ kind: 'guardEnded', moving: [] }]);
  });

  it.each([
    ['while it brakes', 500n * MS],
    ['before it knows that its middleware is silent', 100n * MS],
  ])('%s, brings the vehicle to rest first', (_, afterNs) => {
    const { bench } = driven();
    bench.run(afterNs);
    bench.end();
    expect(bench.log.at(-1)).toEqual({ kind: 'guardEnding' });
    untilOver(bench);
    expect(speeds(bench)).toEqual(speeds(bench).toSorted((first, second) => second - first));
    expect(speeds(bench)[0]).toBeGreaterThan(0.9);
    expect(speeds(bench).at(-1)).toBe(0);
    expect(only(bench.log, 'vehicleStopped')).toMatchObject([{ id: 1, outcome: 'atRest' }]);
    expect(ended(bench)).toEqual([[]]);
  });

  it('waits for one detection time, and commands nothing while its middleware lives', () => {
    const { bench, one } = driven();
    bench.end();
    for (let atNs = 0n; atNs < LIMIT; atNs += LOOK) {
      expect(ended(bench)).toEqual([]);
      bench.run(LOOK);
      bench.status(one);
    }
    bench.run(LOOK);
    expect(ended(bench)).toEqual([[]]);
    expect(bench.commands).toEqual([]);
  });

  it('ends at the clean end of its middleware', () => {
    const { bench, one } = driven();
    bench.end();
    bench.status(one, 'ended');
    bench.wake();
    expect(ended(bench)).toEqual([[]]);
    expect(bench.commands).toEqual([]);
  });

  it('commands a vehicle that does not obey to stand still when the time is over', () => {
    const { bench } = driven();
    bench.end();
    for (let atNs = 0n; atNs < LIMIT + 4n * S - LOOK; atNs += LOOK) {
      bench.state(1, 1);
      bench.run(LOOK);
    }
    expect(ended(bench)).toEqual([]);
    const { length } = bench.commands;
    bench.run(LOOK);
    expect(ended(bench)).toEqual([[1]]);
    expect(bench.commands.length).toBeGreaterThan(length);
    expect(speeds(bench).at(-1)).toBe(0);
    bench.clear();
    bench.run(LOOK);
    bench.wake();
    expect([bench.log, bench.commands]).toEqual([[], []]);
  });

  it('has commands for a second signal that make its vehicles stand still at once', () => {
    const { bench } = driven();
    bench.run(500n * MS);
    bench.end();
    expect(speeds(bench).at(-1)).toBeGreaterThan(0.5);
    const last = bench.guard.standStill(bench.clocks.read());
    expect(last).toMatchObject([{ kind: 'pathTracking', message: { vehicle_id: 1, speed: 0 } }]);
    untilOver(bench);
    expect(bench.guard.standStill(bench.clocks.read())).toEqual([]);
  });
});
