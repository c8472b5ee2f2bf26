import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GuardBench, LIMIT, LOOK, middleware } from './guard-bench.js';

const happening = fc.record({
  who: fc.nat(1),
  what: fc.constantFrom('status', 'status', 'command', 'ended', 'takeOver', 'restart', 'nothing'),
  id: fc.constantFrom(1, 2),
  looks: fc.nat(20),
});

describe('a guard, in whatever happens,', () => {
  it('commands a vehicle only after a silence, and until that is taken over', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const bench = new GuardBench();
        const both = [middleware(1n, [1]), middleware(2n, [2])];
        const lastStatusNs = new Map<number, bigint>();
        const mayCommand = new Set<number>();
        let epoch = 10n;
        const check = () => {
          for (const { atNs, id } of bench.commands) {
            const sinceNs = atNs - (lastStatusNs.get(id) ?? 0n);
            if (sinceNs >= LIMIT) mayCommand.add(id);
            expect(mayCommand.has(id)).toBe(true);
          }
          bench.clear();
        };
        for (const { who, what, looks } of happenings) {
          const id = who + 1;
          const one = both[who] ?? middleware(1n, [1]);
          if (what === 'restart') both[who] = middleware(++epoch, [id]);
          if (what === 'command') bench.command(one, id);
          if (what === 'takeOver') {
            for (const stop of bench.guard.stops) {
              if (stop.id === id) one.takenOver.set(id, stop.number);
            }
          }
          if (['status', 'ended', 'takeOver'].includes(what)) {
            bench.status(one, what === 'ended' ? 'ended' : 'running');
            // Another session of the same vehicle may be silent all the same.
            lastStatusNs.set(id, epoch === 10n ? bench.clocks.monotonicNs : 0n);
            if (!bench.guard.stops.some((stop) => stop.id === id)) mayCommand.delete(id);
          }
          check();
          bench.run(BigInt(looks) * LOOK);
          check();
        }
      }),
      { numRuns: 500 },
    );
  });

  it('stops every vehicle that a silent middleware drove', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.nat(10)), { minLength: 1, maxLength: 30 }),
        (steps) => {
          const bench = new GuardBench();
          const one = middleware(1n, [1]);
          let commanded = false;
          for (const [commands, looks] of steps) {
            bench.status(one);
            if (commands) bench.command(one, 1);
            commanded ||= commands;
            bench.run(BigInt(looks) * LOOK);
          }
          expect(bench.commands).toEqual([]);
          bench.clear();
          bench.run(LIMIT + LOOK);
          expect(bench.commandedIds).toEqual(commanded ? [1] : []);
        },
      ),
      { numRuns: 200 },
    );
  });
});
