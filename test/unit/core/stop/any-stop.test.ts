import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpmLabVehicle, earlier, later, type Command } from '../../../../src/core/index.js';
import { StopAuthority } from '../../../../src/core/stop/stop-authority.js';
import { MS, S, speedCommand, stops } from '../support.js';
import { forwarding, T0 } from './motion-arbitraries.js';
import { P, speedOf, stampsOf, StopBench, straight } from './stop-bench.js';

describe('any stop', () => {
  const measurement = fc.record({
    speedMps: fc.oneof(
      fc.double({ min: -4, max: 4, noNaN: true }),
      fc.constantFrom(0, NaN, Infinity, Number.MAX_VALUE),
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
        fc.option(measurement),
        (vehicle, forwardings, steps, before) => {
          const bench = new StopBench(vehicle);
          if (before !== null) bench.observe(before.speedMps, before.x);
          let newest = { create: -1n, valid: -1n };
          let planEndsNs = 10_000n * S;
          let mayHaveLeftPlan = false;
          for (const [{ make }, afterNs] of forwardings) {
            const command = make(T0 + bench.nowNs);
            const { create, valid } = stampsOf(command);
            newest = {
              create: create > newest.create ? create : newest.create,
              valid: valid > newest.valid ? valid : newest.valid,
            };
            bench.forward(command);
            const endsNs = later(valid - T0, bench.nowNs) + (vehicle.timeoutNs ?? 0n);
            if (command.kind === 'trajectory') planEndsNs = earlier(planEndsNs, endsNs);
            mayHaveLeftPlan = vehicle.timeoutNs !== null && bench.nowNs > planEndsNs;
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
          // Whatever was forwarded is covered, but for a plan that the vehicle may have left.
          const kinds = new Set(forwardings.map(([{ make }]) => make(T0).kind));
          if (!byKind.has('trajectory') && mayHaveLeftPlan) kinds.delete('trajectory');
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
        const bench = new StopBench();
        bench.forward(make(T0));
        bench.observe(speed);
        bench.begin();
        let sent = bench.commands.length;
        let lastNs = bench.nowNs;
        const look = () => {
          const { length } = bench.commands;
          if (length > sent) lastNs = bench.nowNs;
          sent = length;
          expect(bench.nowNs - lastNs).toBeLessThanOrEqual(50n * MS);
        };
        for (let i = 0n; i < 100n; i++) {
          bench.run(10n * MS);
          look();
        }
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
