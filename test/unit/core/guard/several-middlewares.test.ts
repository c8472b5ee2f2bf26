import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/core/index.js';
import { MS, only, S } from '../support.js';
import {
  commandOf,
  type FakeMiddleware,
  GuardBench,
  LIMIT,
  LOOK,
  middleware,
  P,
  speedOf,
} from './guard-bench.js';

type Kind = Command['kind'];

/** In the order in which a vehicle obeys them. */
const kinds = ['direct', 'speedCurvature', 'trajectory', 'pathTracking'] as const;

const pairs = kinds.flatMap((former) => kinds.map((next) => [former, next] as const));
const outranked = pairs.filter(([former, next]) => kinds.indexOf(next) > kinds.indexOf(former));
const outranking = pairs.filter(([former, next]) => kinds.indexOf(next) <= kinds.indexOf(former));

/** A guard, and two middlewares that both have vehicle 1. */
class Two {
  readonly bench = new GuardBench();
  readonly a = middleware(1n, [1], { sourceId: 'a' });
  readonly b = middleware(2n, [1], { sourceId: 'b' });

  /** A middleware sends its status and these commands in each period, for this time. */
  drive(by: FakeMiddleware, ns: bigint, sent: readonly Kind[], speed = 1, aheadNs = 0n): void {
    this.each(ns, () => {
      this.sends(by, sent, speed, aheadNs);
    });
  }

  /** In each period of this time. */
  each(ns: bigint, what: () => void): void {
    for (let t = 0n; t < ns; t += P) {
      what();
      this.bench.run(P);
    }
  }

  sends(by: FakeMiddleware, sent: readonly Kind[], speed = 1, aheadNs = 0n): void {
    const { realtimeNs } = this.bench.clocks;
    this.bench.status(by);
    for (const kind of sent) {
      this.bench.send(by, commandOf(kind, realtimeNs, realtimeNs + aheadNs, speed));
    }
  }

  get stoppedKinds(): Set<Kind> {
    return new Set(this.bench.commands.map(({ command }) => command.kind));
  }
}

describe('a guard whose middleware falls silent while another one commands its vehicle', () => {
  it('stops the vehicle where the other one holds it by a kind that the vehicle does not obey', () => {
    const two = new Two();
    const { bench, a, b } = two;
    // B keeps vehicle 1 stopped. It moves all the same, since it obeys A.
    two.each(S, () => {
      two.sends(a, ['speedCurvature']);
      bench.run(10n * MS);
      two.sends(b, ['pathTracking'], 0);
    });
    expect(bench.commands).toEqual([]);
    const silentFromNs = bench.clocks.monotonicNs;
    two.drive(b, S, ['pathTracking'], 0);
    expect(two.stoppedKinds).toContain('speedCurvature');
    const [first] = bench.commands;
    expect(first?.atNs).toBeLessThanOrEqual(silentFromNs + LIMIT + LOOK);
    expect(only(bench.log, 'sessionChanged').at(-1)).toMatchObject({
      change: 'silent',
      sourceId: 'a',
      ids: [1],
    });
    const speeds = bench.commands.map(speedOf).filter((speed) => !Number.isNaN(speed));
    expect(new Set(speeds)).toEqual(new Set([0]));
    expect(bench.guard.stops).toMatchObject([{ id: 1 }]);
    expect(bench.guard.stops[0]?.kinds).toContain('speedCurvature');
  });

  it.each(outranked)('stops a vehicle that drove by %s, and is driven by %s', (former, next) => {
    const two = new Two();
    two.drive(two.a, S, [former]);
    two.drive(two.b, S, [next]);
    expect(two.stoppedKinds).toContain(former);
  });

  it.each(outranking)('cedes a vehicle that drove by %s, and is driven by %s', (former, next) => {
    const two = new Two();
    two.drive(two.a, S, [former]);
    two.drive(two.b, 3n * S, [next]);
    expect(two.bench.commands).toEqual([]);
    expect(two.bench.guard.stops).toEqual([]);
    // It watches the vehicle for the other one.
    two.bench.run(S);
    expect(two.stoppedKinds).toContain(next);
    expect(two.bench.guard.stops).toMatchObject([{ id: 1 }]);
  });

  it.each([
    ['all kinds', ['speedCurvature', 'pathTracking'], 0],
    ['only the first kind', ['speedCurvature'], 0],
    ['only the last kind', ['pathTracking'], 1],
  ] as const)('cedes a vehicle of two kinds that gets %s: %s', (_, sent, stops) => {
    const two = new Two();
    two.drive(two.a, S, ['speedCurvature', 'pathTracking']);
    two.drive(two.b, S, sent);
    expect(two.bench.guard.stops).toHaveLength(stops);
  });

  it('does not count an older command of the same kind', () => {
    const two = new Two();
    two.drive(two.b, P, ['speedCurvature']);
    two.each(S, () => {
      two.sends(two.b, ['pathTracking']);
      two.sends(two.a, ['speedCurvature']);
    });
    two.drive(two.b, S, ['pathTracking']);
    expect(two.stoppedKinds).toContain('speedCurvature');
  });

  it('counts the kinds that only the status of the silent one names', () => {
    const two = new Two();
    const { bench, a, b } = two;
    const stampNs = bench.clocks.realtimeNs;
    const sent = { newestCreateNs: stampNs, newestValidNs: stampNs, obeyedUntilNs: null };
    bench.status(a, 'running', [{ id: 1, kinds: ['speedCurvature', 'pathTracking'], ...sent }]);
    bench.send(a, commandOf('pathTracking', stampNs));
    bench.run(P);
    two.drive(b, S, ['pathTracking']);
    expect(two.stoppedKinds).toContain('speedCurvature');
  });

  it('does not count what only the status of the other one names', () => {
    const two = new Two();
    const { bench, a, b } = two;
    two.drive(a, S, ['speedCurvature']);
    two.each(S, () => {
      const stampNs = bench.clocks.realtimeNs;
      const sent = { newestCreateNs: stampNs, newestValidNs: stampNs, obeyedUntilNs: null };
      bench.status(b, 'running', [{ id: 1, kinds: ['speedCurvature', 'pathTracking'], ...sent }]);
      bench.send(b, commandOf('pathTracking', stampNs));
    });
    expect(two.stoppedKinds).toContain('speedCurvature');
  });

  it('stops a vehicle that obeys the other one only later', () => {
    const two = new Two();
    two.drive(two.a, S, ['pathTracking']);
    two.drive(two.b, LIMIT + P, ['pathTracking'], 1, 900n * MS);
    expect(two.stoppedKinds).toContain('pathTracking');
  });

  it('stops a vehicle for which a command of the silent one waits', () => {
    const two = new Two();
    two.drive(two.a, S, ['pathTracking'], 1, 900n * MS);
    two.drive(two.b, LIMIT + P, ['speedCurvature']);
    expect(two.stoppedKinds).toContain('pathTracking');
  });

  it('cedes a vehicle where both command a period ahead', () => {
    const two = new Two();
    two.drive(two.a, S, ['trajectory'], 1, P);
    two.drive(two.b, 2n * S, ['trajectory'], 1, P);
    expect(two.bench.commands).toEqual([]);
  });

  it('stops a vehicle whose new commands have older create stamps', () => {
    const two = new Two();
    two.drive(two.a, S, ['pathTracking']);
    const { bench, b } = two;
    two.each(S, () => {
      bench.status(b);
      const { realtimeNs } = bench.clocks;
      bench.send(b, commandOf('pathTracking', realtimeNs - 2n * S, realtimeNs));
    });
    expect(two.stoppedKinds).toContain('pathTracking');
  });

  it('stops a vehicle whose last command is that of the silent one, though its stamp is older', () => {
    const two = new Two();
    const { bench, a, b } = two;
    const { realtimeNs } = bench.clocks;
    bench.status(b);
    bench.send(b, commandOf('pathTracking', realtimeNs + S, realtimeNs));
    bench.run(1n);
    bench.status(a);
    bench.send(a, commandOf('pathTracking', realtimeNs));
    two.drive(b, S, []);
    expect(bench.guard.stops).toMatchObject([{ id: 1 }]);
  });

  it('stops a vehicle in place of both when the other one has fallen silent before', () => {
    const two = new Two();
    const { bench, b } = two;
    const slow = { ...two.a, periodNs: 4n * P };
    two.drive(slow, S, ['pathTracking']);
    two.drive(b, P, ['speedCurvature']);
    bench.run(S);
    const changes = only(bench.log, 'sessionChanged').filter(({ change }) => change === 'silent');
    expect(changes).toMatchObject([
      { sourceId: 'b', ids: [1] },
      { sourceId: 'a', ids: [1] },
    ]);
    expect(bench.guard.stops).toHaveLength(1);
  });

  it('publishes the kinds and the stamps of both when both have fallen silent', () => {
    const two = new Two();
    two.drive(two.a, 4n * P, ['direct']);
    two.each(2n * P, () => {
      two.sends(two.a, []);
      two.sends(two.b, ['trajectory', 'pathTracking']);
    });
    two.bench.run(LIMIT + 4n * P);
    const [stop, ...others] = two.bench.guard.stops;
    expect(others).toEqual([]);
    expect([...(stop?.kinds ?? [])].sort()).toEqual(['direct', 'pathTracking', 'trajectory']);
  });

  it('leaves the vehicle to the other one for good when that has taken over its stop', () => {
    const two = new Two();
    const { bench, a, b } = two;
    two.drive(a, S, ['speedCurvature']);
    two.drive(b, LIMIT + LOOK, ['pathTracking']);
    const [stop] = bench.guard.stops;
    b.takenOver.set(1, stop?.number ?? 0n);
    two.drive(b, P, ['speedCurvature', 'pathTracking'], 0);
    expect(only(bench.log, 'takenOver')).toEqual([{ kind: 'takenOver', ids: [1] }]);
    bench.clear();
    // Later it is resumed.
    two.drive(b, 2n * S, ['speedCurvature', 'pathTracking'], 0);
    two.drive(b, 5n * S, ['pathTracking']);
    expect(bench.commands).toEqual([]);
    expect(bench.guard.stops).toEqual([]);
  });

  it('sends a bounded number of commands while the other one drives on all the same', () => {
    const two = new Two();
    two.drive(two.a, S, ['speedCurvature']);
    two.drive(two.b, LIMIT + LOOK, ['pathTracking']);
    two.bench.clear();
    two.drive(two.b, 5n * S, ['pathTracking']);
    // Each repeat and each answer has two kinds.
    const most = 2 * 2 * Number((5n * S) / P);
    expect(two.bench.commands.length).toBeLessThanOrEqual(most);
    expect(two.stoppedKinds).toEqual(new Set(['speedCurvature', 'pathTracking']));
  });
});

describe('a guard that is started while a vehicle is latched, and a middleware drives it', () => {
  it.each([
    ['pathTracking', 'speedCurvature', 0],
    ['pathTracking', 'pathTracking', 0],
    ['speedCurvature', 'pathTracking', 1],
  ] as const)('was latched by %s, is driven by %s: %s stops', (latched, sent, stops) => {
    const two = new Two();
    const { bench, b } = two;
    const vehicles = [{ id: 1, kinds: [latched] }];
    bench.guard.latchedBefore('a', vehicles, P, bench.clocks.read());
    two.each(2n * S, () => {
      bench.state(1, 1);
      two.sends(b, [sent]);
    });
    expect(bench.guard.stops).toHaveLength(stops);
  });
});
