import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, cpmLabVehicle, obeyedCommand } from '../../../../src/core/index.js';
import { MS, S } from '../support.js';
import { commandOf, GuardBench, LIMIT, LOOK, middleware, P } from './guard-bench.js';

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
            check();
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

  it('leaves no vehicle to the last command of a silent middleware, whatever another one sends', () => {
    const kind = fc.constantFrom(...cpmLabVehicle.kinds);
    const sent = fc.array(kind, { maxLength: 2 });
    const aheadNs = fc.constantFrom(0n, 40n * MS, 120n * MS, 800n * MS);
    const period = fc.record({ a: sent, b: sent, bFirst: fc.boolean() });
    const sometimesStopped = fc.record({
      before: fc.array(period, { minLength: 1, maxLength: 30 }),
      after: fc.array(sent, { maxLength: 30 }),
      aheadOfA: aheadNs,
      aheadOfB: aheadNs,
    });
    fc.assert(
      fc.property(sometimesStopped, ({ before, after, aheadOfA, aheadOfB }) => {
        const bench = new GuardBench();
        const a = { of: middleware(1n, [1], { sourceId: 'a' }), aheadNs: aheadOfA };
        const b = { of: middleware(2n, [1], { sourceId: 'b' }), aheadNs: aheadOfB };
        const received: Command[] = [];
        const ofA = new Set<Command>();
        const send = (by: typeof a, kinds: readonly Command['kind'][]) => {
          bench.status(by.of);
          for (const each of kinds) {
            const { realtimeNs } = bench.clocks;
            const command = commandOf(each, realtimeNs, realtimeNs + by.aheadNs);
            if (by === a) ofA.add(command);
            bench.send(by.of, command);
            received.push(command);
            bench.run(1n);
          }
        };
        const pass = (ns: bigint) => {
          bench.run(ns);
          received.push(...bench.commands.map(({ command }) => command));
          bench.clear();
        };
        for (const { a: fromA, b: fromB, bFirst } of before) {
          if (bFirst) send(b, fromB);
          send(a, fromA);
          if (!bFirst) send(b, fromB);
          pass(P);
        }
        const silentNs = bench.clocks.monotonicNs;
        for (let period = 0; period < 60; period++) {
          // In the end it commands nothing.
          send(b, after[period] ?? []);
          pass(P);
          if (bench.clocks.monotonicNs - silentNs < LIMIT + LOOK) continue;
          for (const timeoutNs of [null, S, 300n * MS]) {
            const vehicle = { ...cpmLabVehicle, timeoutNs };
            const obeyed = obeyedCommand(vehicle, received, bench.clocks.realtimeNs);
            expect(obeyed !== null && ofA.has(obeyed)).toBe(false);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
