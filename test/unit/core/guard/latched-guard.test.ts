import { describe, expect, it } from 'vitest';
import { only, S } from '../support.js';
import { GuardBench, middleware, P, speedOf } from './guard-bench.js';

describe('a guard that is started while vehicles are latched', () => {
  const kinds = ['speedCurvature'] as const;

  /** Vehicles 1 and 2 are latched by the middleware of the bench, or another one. */
  function started(sourceId = 'middleware') {
    const bench = new GuardBench();
    const vehicles = [1, 2].map((id) => ({ id, kinds }));
    bench.guard.latchedBefore(sourceId, vehicles, P, bench.clocks.read());
    return bench;
  }

  it('stops those that move or send no state, after one detection time, and holds them', () => {
    const bench = started();
    for (let t = 0n; t < S; t += P) {
      bench.state(1, 1);
      bench.run(P);
    }
    expect(new Set(bench.commandedIds)).toEqual(new Set([1, 2]));
    expect(new Set(bench.commands.map(speedOf))).toEqual(new Set([0]));
    expect(bench.guard.stops.map(({ id }) => id)).toEqual([1, 2]);
    expect(only(bench.log, 'sessionChanged')).toMatchObject([{ change: 'silent', ids: [1, 2] }]);
  });

  it('outranks what was sent before', () => {
    const bench = new GuardBench();
    const ahead = bench.clocks.realtimeNs + 10n * S;
    const sent = { createNs: ahead, validNs: ahead };
    bench.guard.latchedBefore('middleware', [{ id: 1, kinds, sent }], P, bench.clocks.read());
    bench.run(S);
    const { header } = bench.commands[0]?.command.message ?? {};
    expect(header?.create_stamp.nanoseconds).toBeGreaterThan(ahead);
    expect(header?.valid_after_stamp.nanoseconds).toBeGreaterThan(ahead);
  });

  it('commands none that stands', () => {
    const bench = started();
    for (let t = 0n; t < S; t += P) {
      bench.state(1, 0);
      bench.state(2, 0);
      bench.run(P);
    }
    expect(bench.commands).toEqual([]);
    expect(bench.guard.stops).toEqual([]);
    expect(bench.log).toEqual([]);
  });

  it('leaves them to their middleware when that lives', () => {
    const bench = started();
    const back = middleware(1n, [1, 2]);
    for (let t = 0n; t < 2n * S; t += P) {
      bench.status(back);
      bench.run(P);
    }
    expect(bench.commands).toEqual([]);
  });

  it('leaves the vehicle that another middleware drives to that', () => {
    const bench = started('another');
    bench.drive(middleware(1n, [1, 2]), 2n * S, [1]);
    expect(new Set(bench.commandedIds)).toEqual(new Set([2]));
  });
});
