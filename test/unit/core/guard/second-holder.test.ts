import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/core/index.js';
import { base, MS, only, S } from '../support.js';
import { commandOf, GuardBench, middleware, pathSpeedOf } from './guard-bench.js';

/** Period of the middlewares, and step of the test, ns. */
const periodNs = 50n * MS;
/** Where the last of two middlewares has driven the vehicle, m. */
const endM = 5;

/** Places are further than this apart from those of before, m. */
const nearEndM = 4.9;

/** Vehicle 1 drives along x from here, m and m/s. */
function plan(nowNs: bigint, x: number, v: number): Command {
  const trajectory_points = [-200n, 0n, 500n, 1000n, 2000n].map((afterMs) => ({
    t: { nanoseconds: nowNs + afterMs * MS },
    ...{ px: x + (v * Number(afterMs)) / 1000, py: 0, vx: v, vy: 0 },
  }));
  return { kind: 'trajectory', message: { ...base(1, nowNs), trajectory_points } };
}

/** Where a trajectory ends, m. */
function endOf(command: Command): number {
  return command.kind === 'trajectory'
    ? (command.message.trajectory_points.at(-1)?.px ?? NaN)
    : NaN;
}

/**
 * One middleware has left vehicle 1 at x = 0 with a plan of this speed, m/s; another one drives it on to x = 5 m.
 * @param seen until they fall silent
 */
function handedOver(seen: boolean, leftMps = 0, periodOfFirstNs = periodNs) {
  const bench = new GuardBench();
  const first = middleware(1n, [1], { sourceId: 'first', periodNs: periodOfFirstNs });
  const second = middleware(2n, [1], { sourceId: 'second', periodNs });
  const step = (sender: typeof first, x: number, v: number) => {
    // The guard knows the second one first.
    bench.status(second);
    bench.status(first);
    bench.send(sender, plan(bench.clocks.realtimeNs, x, v));
    if (seen) {
      const { realtimeNs: createStampNs } = bench.clocks;
      const motion = { speedMps: v, pose: { x, y: 0, yaw: 0 }, createStampNs };
      bench.guard.vehicleState(1, motion, bench.clocks.read());
    }
    bench.run(periodNs);
  };
  for (let i = 0; i < 40; i++) step(first, 0, leftMps);
  for (let i = 0; i < 100; i++) step(second, (i * endM) / 100, 1);
  return bench;
}

describe('a guard of a vehicle that two silent middlewares drove, one after the other', () => {
  it.each([
    ['no states', false, 0, periodNs],
    ['states that end with them', true, 0, periodNs],
    ['a first one that falls silent later', true, 0, 400n * MS],
    ['a first one that left it with a plan', true, 1, periodNs],
  ])('does not send it back to where the first one left it: %s', (_, seen, leftMps, ofFirst) => {
    const bench = handedOver(seen, leftMps, ofFirst);
    bench.run(4n * S);
    const places = bench.commands.map(({ command }) => endOf(command));
    expect(places.length).toBeGreaterThan(20);
    expect(Math.min(...places)).toBeGreaterThan(nearEndM);
  });

  it('does not, either, when it fails itself', () => {
    const bench = handedOver(false);
    bench.run(200n * MS);
    const commands = bench.guard
      .leftAlone(bench.clocks.read())
      .flatMap(({ standStill }) => standStill().map(({ command }) => command));
    expect(commands.length).toBeGreaterThan(0);
    expect(Math.min(...commands.map(endOf))).toBeGreaterThan(nearEndM);
  });

  it('names it once when it ends before the vehicle stands', () => {
    const bench = handedOver(false);
    bench.run(200n * MS);
    bench.end();
    for (let i = 0; i < 200 && only(bench.log, 'guardEnded').length === 0; i++) {
      const { realtimeNs: createStampNs } = bench.clocks;
      const motion = { speedMps: 1, pose: { x: endM, y: 0, yaw: 0 }, createStampNs };
      bench.guard.vehicleState(1, motion, bench.clocks.read());
      bench.run(periodNs);
    }
    expect(only(bench.log, 'guardEnded')).toEqual([{ kind: 'guardEnded', moving: [1] }]);
  });

  it('commands no higher speed than the last of them', () => {
    const bench = new GuardBench();
    const first = middleware(1n, [1], { sourceId: 'first' });
    const second = middleware(2n, [1], { sourceId: 'second' });
    const drive = (sender: typeof first, speed: number) => {
      for (let i = 0; i < 40; i++) {
        bench.status(second);
        bench.status(first);
        const nowNs = bench.clocks.realtimeNs;
        bench.send(sender, commandOf('pathTracking', nowNs, nowNs, speed));
        bench.run(periodNs);
      }
    };
    drive(first, 2);
    drive(second, 0.5);
    bench.run(2n * S);
    const speeds = bench.commands.map(({ command }) => pathSpeedOf(command));
    expect(speeds.length).toBeGreaterThan(20);
    expect(Math.max(...speeds)).toBeLessThanOrEqual(0.5);
  });
});

describe('a guard that stops a vehicle', () => {
  it('answers late states not more often than it repeats its stops', () => {
    const bench = handedOver(true);
    bench.run(500n * MS);
    bench.clear();
    let createStampNs = bench.clocks.realtimeNs - 400n * MS;
    for (let i = 0; i < 1000; i++) {
      createStampNs += 1000n;
      const motion = { speedMps: 1, pose: { x: endM, y: 0, yaw: 0 }, createStampNs };
      bench.guard.vehicleState(1, motion, bench.clocks.read());
      bench.run(MS);
    }
    // Of two sessions, every 50 ms.
    expect(bench.commands.length).toBeLessThan(60);
  });
});
