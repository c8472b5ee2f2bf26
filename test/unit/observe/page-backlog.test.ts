import { describe, expect, it } from 'vitest';
import { PageBacklog } from '../../../src/observe/live/page-backlog.js';
import type { VehicleView } from '../../../src/observe/live/page-protocol.js';
import { collectGarbage, oldMemory } from '../../support/collect-garbage.js';

const at = (x: number): VehicleView => ({
  id: 1,
  t: x,
  x,
  y: -x,
  yaw: 0,
  speed: 1,
  battery: 8,
  poseAgeMs: 0,
});

describe('PageBacklog', () => {
  it('decodes the newest state of a vehicle only', () => {
    const backlog = new PageBacklog();
    let decoded = 0;
    for (let x = 0; x < 100; x++) backlog.vehicle(1, () => (decoded++, at(x)));
    expect(backlog.take(1, 0)?.vehicles).toEqual([at(99)]);
    expect(decoded).toBe(1);
  });

  it('gives a fast vehicle a trail over all states since the last update', () => {
    const backlog = new PageBacklog();
    for (let x = 0; x < 1000; x++) backlog.vehicle(1, () => at(x), true);
    const trail = (backlog.take(1, 0)?.vehicles?.[0]?.trail ?? []).map(Number);
    const xs = trail.filter((_, i) => i % 2 === 0);
    expect(trail).toEqual(xs.flatMap((x) => [x, -x]));
    expect(xs.length).toBeGreaterThan(8);
    expect(xs.length).toBeLessThanOrEqual(16);
    const gaps = xs.slice(1).map((x, i) => x - (xs[i] ?? NaN));
    expect(new Set(gaps).size).toBe(1);
    expect(1000 - (xs.at(-1) ?? 0)).toBeLessThanOrEqual(gaps[0] ?? 0);
  });

  it('begins a new trail with each update', () => {
    const backlog = new PageBacklog();
    backlog.vehicle(1, () => at(1), true);
    backlog.take(1, 0);
    backlog.vehicle(1, () => at(2), true);
    expect(backlog.take(2, 0)?.vehicles).toEqual([{ ...at(2), trail: [2, -2] }]);
  });
});

it('leaves nothing of its updates in the old generation, which is rarely collected', () => {
  const backlog = new PageBacklog();
  const updates = 200;
  const fill = (t: number) => {
    for (let id = 1; id <= 100; id++) {
      backlog.vehicle(id, () => ({ ...at(t), id }));
      backlog.plan(id, () => ({ id, t, kind: 'trajectory', points: [] }));
    }
  };
  fill(0);
  // What waits becomes old.
  for (let i = 0; i < 3; i++) collectGarbage('minor');
  const before = oldMemory();
  let taken = 0;
  for (let t = 1; t <= updates; t++) {
    taken += backlog.take(t, 0)?.vehicles?.length ?? 0;
    fill(t);
    collectGarbage('minor');
  }
  expect(taken).toBe(100 * updates);
  expect(oldMemory() - before).toBeLessThan(1_000_000);
});
