import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrajectoryPoint } from '../../../../src/core/index.js';
import { brakingTrajectory } from '../../../../src/core/supervision/braking.js';
import { MS, S } from '../support.js';

const t0 = 1_700_000_000n * S;

/** A plan along the x axis at this speed, with a point each 100 ms. */
function straight(speed: number, points: number): TrajectoryPoint[] {
  return Array.from({ length: points }, (_, i) => ({
    t: { nanoseconds: t0 + BigInt(i) * 100n * MS },
    px: (speed * i) / 10,
    py: 0,
    vx: speed,
    vy: 0,
  }));
}

/** A plan on a circle, which the Hermite curve between its points follows closely. */
function circle(speed: number, radius: number, points: number): TrajectoryPoint[] {
  return Array.from({ length: points }, (_, i) => {
    const angle = (speed * i) / 10 / radius;
    return {
      t: { nanoseconds: t0 + BigInt(i) * 100n * MS },
      px: radius * Math.cos(angle),
      py: radius * Math.sin(angle),
      vx: -speed * Math.sin(angle),
      vy: speed * Math.cos(angle),
    };
  });
}

const seconds = (point: TrajectoryPoint | undefined): number =>
  Number((point?.t.nanoseconds ?? 0n) - t0) / 1e9;

describe('a braking trajectory', () => {
  it('is of a form that a vehicle can follow, whatever the plan and the times', () => {
    const plan = fc.tuple(
      fc.double({ min: 0, max: 5, noNaN: true }),
      fc.double({ min: 0.3, max: 10, noNaN: true }),
      fc.integer({ min: 1, max: 40 }),
    );
    const times = fc.tuple(fc.bigInt(-S, 6n * S), fc.bigInt(0n, 20n * S));
    fc.assert(
      fc.property(
        plan,
        times,
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        (p, [from, on], a) => {
          const nowNs = t0 + from + on;
          const points = brakingTrajectory(circle(...p), t0 + from, nowNs, a);
          expect(points.length).toBeGreaterThanOrEqual(3);
          expect(points.length).toBeLessThanOrEqual(100);
          const stamps = points.map((point) => point.t.nanoseconds);
          for (const [i, stamp] of stamps.entries()) {
            if (i > 0) expect(stamp > (stamps[i - 1] ?? stamp)).toBe(true);
          }
          expect((stamps[0] ?? nowNs) < nowNs).toBe(true);
          expect((stamps.at(-1) ?? nowNs) > nowNs).toBe(true);
          for (const point of points) {
            for (const value of [point.px, point.py, point.vx, point.vy]) {
              expect(Number.isFinite(value)).toBe(true);
            }
          }
          const [end, rest] = points.slice(-2);
          expect([end?.vx, end?.vy, rest?.vx, rest?.vy]).toEqual([0, 0, 0, 0]);
          expect([rest?.px, rest?.py]).toEqual([end?.px, end?.py]);
        },
      ),
    );
  });

  it('brakes with the wanted deceleration where the plan goes at a constant speed', () => {
    const points = brakingTrajectory(straight(1.5, 30), t0 + 500n * MS, t0 + 500n * MS, 3);
    for (const point of points.slice(1, -1)) {
      const t = seconds(point) - 0.5;
      expect(point.vx).toBeCloseTo(1.5 - 3 * t, 6);
      expect(point.px).toBeCloseTo(0.75 + 1.5 * t - 1.5 * t * t, 6);
    }
    // 1.5 m/s at 3 m/s²: rest after half a second and 0.375 m.
    expect(seconds(points.at(-2))).toBeCloseTo(1, 6);
    expect(points.at(-1)?.px).toBeCloseTo(0.75 + 0.375, 6);
  });

  it('stays on the path that was planned', () => {
    const points = brakingTrajectory(circle(1.2, 0.8, 40), t0 + 730n * MS, t0 + 730n * MS, 2);
    for (const { px, py } of points.slice(1)) expect(Math.hypot(px, py)).toBeCloseTo(0.8, 3);
  });

  it('is at rest where the plan ends, though that asks for more', () => {
    const points = brakingTrajectory(straight(2, 11), t0 + 800n * MS, t0 + 800n * MS, 1);
    expect(points.at(-1)?.px).toBeCloseTo(2, 6);
    expect(seconds(points.at(-2))).toBeCloseTo(0.8 + 0.4, 6);
  });

  it('is rest at the last point when the plan is over', () => {
    const points = brakingTrajectory(straight(1, 5), t0 + 3n * S, t0 + 3n * S, 2);
    expect(points).toHaveLength(3);
    for (const { px, vx } of points) expect([px, vx]).toEqual([0.4, 0]);
  });

  it('begins at the first point of a plan that lies far ahead, as after a clock was set back', () => {
    const plan = straight(1, 20).map((point) => ({
      ...point,
      t: { nanoseconds: point.t.nanoseconds + 3600n * S },
    }));
    for (const { px } of brakingTrajectory(plan, t0, t0, 2)) {
      expect(Math.abs(px)).toBeLessThan(0.5);
    }
  });

  it('does not change while it is repeated, but for its end', () => {
    const plan = circle(1, 1, 40);
    const first = brakingTrajectory(plan, t0 + S, t0 + S, 2);
    const later = brakingTrajectory(plan, t0 + S, t0 + 5n * S, 2);
    expect(later.slice(0, -1)).toEqual(first.slice(0, -1));
    expect(later.at(-1)?.t.nanoseconds).toBe(t0 + 6n * S);
  });

  it('has no point before the beginning of simulated time', () => {
    const plan = straight(1, 5).map((point) => ({
      ...point,
      t: { nanoseconds: point.t.nanoseconds - t0 },
    }));
    for (const fromNs of [0n, 1n, 10n * MS]) {
      const points = brakingTrajectory(plan, fromNs, fromNs, 2);
      expect((points[0]?.t.nanoseconds ?? -1n) >= 0n).toBe(true);
    }
  });
});
