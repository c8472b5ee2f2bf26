import { describe, expect, it } from 'vitest';
import { cpmLabVehicle } from '../../../../src/core/index.js';
import { MS, S, speedCommand } from '../support.js';
import { T0 } from './motion-arbitraries.js';
import { path, speedOf, StopBench, straight } from './stop-bench.js';

describe('a stop near the time-out of the vehicle', () => {
  it('of a vehicle that may brake by itself goes on from the speed that it has then', () => {
    for (const [speed, afterMs, first] of [
      [1, 200n, 0.6],
      [0.4, 201n, 0],
    ] as const) {
      const bench = new StopBench();
      // Answered 250 ms after the start signal: the time-out of the vehicle counts from the stamp.
      bench.nowNs = 250n * MS;
      bench.forward(path(speed, T0));
      bench.nowNs = S + afterMs * MS;
      bench.begin();
      bench.run(S);
      const speeds = bench.commands.map(speedOf);
      expect(Math.max(...speeds)).toBeCloseTo(first, 6);
    }
  });

  it.each([true, false])(
    'of a vehicle that brakes by itself goes on from there, states with a stamp: %s',
    (isStamped) => {
      const bench = new StopBench({ ...cpmLabVehicle, timeoutNs: null });
      bench.forward(path(1, T0));
      for (; bench.nowNs <= S + 200n * MS; bench.nowNs += 20n * MS) {
        const s = Number(bench.nowNs) / 1e9;
        bench.observe(Math.min(1, 1 - 2 * (s - 1)), 0, isStamped ? T0 + bench.nowNs : 0n);
      }
      bench.nowNs = S + 260n * MS;
      bench.begin();
      // 0.6 m/s by the last state, of 60 ms ago.
      expect(bench.commands.map(speedOf)[0]).toBeCloseTo(0.48, 6);
    },
  );

  it.each([
    { name: 'was not seen for a while', untilMs: 100n, leastMps: 0, beginMs: 400n },
    { name: 'has braked before', untilMs: 300n, leastMps: 0.8, beginMs: 320n },
  ])('of a vehicle that $name begins at its last speed', ({ untilMs, leastMps, beginMs }) => {
    const bench = new StopBench();
    bench.forward(path(1, T0));
    for (; bench.nowNs <= untilMs * MS; bench.nowNs += 20n * MS) {
      bench.observe(Math.max(leastMps, 0.9 - Number(bench.nowNs) / 1e9));
    }
    bench.nowNs = beginMs * MS;
    bench.begin();
    expect(bench.commands.map(speedOf)[0]).toBeCloseTo(0.8, 6);
  });

  it('of a vehicle one of whose commands still holds begins at full speed', () => {
    const bench = new StopBench();
    bench.forward(speedCommand(1, T0));
    bench.nowNs = 100n * MS;
    bench.forward(path(1, T0 + bench.nowNs));
    bench.nowNs = S + 50n * MS;
    expect(bench.authority.repeated(1, bench.moment)).toEqual([]);
    bench.begin();
    expect(bench.commands.map(speedOf)).toContain(1);
  });

  it('of a vehicle whose command was too old when it went out is to stand still', () => {
    const bench = new StopBench();
    bench.forward(path(1, T0 - 5n * S));
    bench.nowNs = 200n * MS;
    bench.begin();
    bench.run(500n * MS);
    expect(bench.commands.length).toBeGreaterThan(0);
    expect(new Set(bench.commands.map(speedOf))).toEqual(new Set([0]));
  });

  it('does not count the way twice that a vehicle has rolled where it is seen', () => {
    const bench = new StopBench();
    bench.nowNs = 250n * MS;
    bench.forward(straight(1, T0));
    // It follows its plan, and brakes from 1 s on.
    const at = (s: number) => (s < 1 ? s : 1 + (s - 1) - (s - 1) ** 2);
    for (; bench.nowNs <= S + 200n * MS; bench.nowNs += 20n * MS) {
      const s = Number(bench.nowNs) / 1e9;
      bench.observe(s < 1 ? 1 : 1 - 2 * (s - 1), at(s));
    }
    bench.begin();
    const [first] = bench.commands;
    const end = first?.kind === 'trajectory' ? first.message.trajectory_points.at(-1)?.px : 0;
    // At 1.16 m with 0.6 m/s; 2 m/s² are 0.09 m, and it responds after 0.05 s.
    expect(end).toBeLessThan(1.31);
    expect(end).toBeGreaterThan(1.2);
  });

  it('goes on without a state where the pacer could not stop a vehicle on its plan either', () => {
    const bench = new StopBench();
    bench.forward(straight(1));
    bench.nowNs = S + 300n * MS;
    // It waits one repeat for a state.
    bench.begin();
    expect(bench.commands).toEqual([]);
    bench.nowNs += 10n * MS;
    bench.begin('exceptOnPlan');
    bench.run(200n * MS);
    expect(bench.commands.map(({ kind }) => kind)).toContain('trajectory');
  });

  it('names no place on a plan that the vehicle has left, unless it is seen', () => {
    const bench = new StopBench();
    bench.forward(straight(1));
    for (let atMs = 1500n; atMs <= 5000n; atMs += 50n) {
      bench.nowNs = atMs * MS;
      bench.forward(path(1, T0 + bench.nowNs));
    }
    const still = (now = bench.moment) =>
      bench.authority.standStill(1, now).map(({ command }) => command.kind);
    expect(still()).not.toContain('trajectory');
    bench.begin();
    bench.run(S);
    expect(bench.commands.map(({ kind }) => kind)).not.toContain('trajectory');
    bench.observe(0, 4);
    bench.run(200n * MS);
    const places = bench.commands.flatMap((command) =>
      command.kind === 'trajectory' ? [command.message.trajectory_points.at(-1)?.px] : [],
    );
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place).toBeCloseTo(4, 6);
  });

  it('has no command repeated that the vehicle may have ended by itself', () => {
    const bench = new StopBench();
    bench.nowNs = 250n * MS;
    bench.forward(path(1, T0));
    bench.nowNs = S;
    expect(bench.authority.repeated(1, bench.moment).map(speedOf)).toEqual([1]);
    bench.nowNs = S + 1n * MS;
    expect(bench.authority.repeated(1, bench.moment)).toEqual([]);
  });

  it('of a vehicle that may brake by itself on a trajectory rests where that ends', () => {
    const bench = new StopBench();
    bench.nowNs = 250n * MS;
    bench.forward(straight(1, T0));
    bench.nowNs = S + 200n * MS;
    bench.begin();
    bench.run(100n * MS);
    for (const command of bench.commands) {
      const last = command.kind === 'trajectory' && command.message.trajectory_points.at(-1);
      // At 1 m after the time-out; 1 m/s and 2 m/s² are 0.25 m.
      expect(last && last.px).toBeCloseTo(1.25, 1);
    }
    expect(bench.commands.length).toBeGreaterThan(0);
  });
});
