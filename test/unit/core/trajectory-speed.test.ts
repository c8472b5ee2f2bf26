import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrajectoryPoint } from '../../../src/core/command.js';
import { hermite } from '../../../src/core/index.js';
import { highestTrajectorySpeed } from '../../../src/core/trajectory-speed.js';
import { S } from './support.js';

const T0 = 1_700_000_000n * S;

type Vector = readonly [x: number, y: number];

function point(atS: number, [px, py]: Vector, [vx, vy]: Vector): TrajectoryPoint {
  return { t: { nanoseconds: T0 + BigInt(Math.round(atS * 1e9)) }, px, py, vx, vy };
}

/** The highest speed at 1000 places between each two points, by the curve that vehicles follow. */
function sampledSpeed(points: readonly TrajectoryPoint[]): number {
  const speeds = points.slice(1).flatMap((to, index) => {
    const from = points[index] ?? to;
    const seconds = Number(to.t.nanoseconds - from.t.nanoseconds) / 1e9;
    return Array.from({ length: 1001 }, (_, place) => {
      const { dx, dy } = hermite(curvePoint(from), curvePoint(to), seconds, place / 1000);
      return Math.hypot(dx, dy);
    });
  });
  return Math.max(...speeds);
}

function curvePoint({ px, py, vx, vy }: TrajectoryPoint) {
  return { x: px, y: py, dx: vx, dy: vy };
}

/** The largest part of a bound that is not the speed itself, by the text of the function, m/s. */
function looseness(points: readonly TrajectoryPoint[]): number {
  const differences = points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    const seconds = Number(to.t.nanoseconds - from.t.nanoseconds) / 1e9;
    const difference = (v0: number, v1: number, way: number) => 3 * (v0 + v1 - (2 * way) / seconds);
    return Math.hypot(
      difference(from.vx, to.vx, to.px - from.px),
      difference(from.vy, to.vy, to.py - from.py),
    );
  });
  return Math.max(...differences) / 4096;
}

const vector = (limit: number) => {
  const number = fc.double({ min: -limit, max: limit, noNaN: true });
  return fc.tuple(number, number);
};

const trajectories = fc
  .array(
    fc.record({
      stepS: fc.double({ min: 0.01, max: 2, noNaN: true }),
      place: vector(4),
      velocity: vector(3),
    }),
    { minLength: 2, maxLength: 6 },
  )
  .map((steps) => {
    let atS = 0;
    return steps.map(({ stepS, place, velocity }) => point((atS += stepS), place, velocity));
  });

/** Points of a planner with a constant speed on a circle, m/s, m, and s between the points. */
function circle(speed: number, radius: number, stepS: number): TrajectoryPoint[] {
  return Array.from({ length: 100 }, (_, index) => {
    const angle = (speed * stepS * index) / radius;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    return point(stepS * index, [-radius * cos, radius * sin], [speed * sin, speed * cos]);
  });
}

/** The squares of smaller numbers underflow, m/s. */
const noSpeed = 1e-100;

describe('the highest speed of a trajectory', () => {
  it('is that of the curve that vehicles follow, and never below it', () => {
    fc.assert(
      fc.property(trajectories, (points) => {
        const sampled = sampledSpeed(points);
        const bound = highestTrajectorySpeed(points, 0);
        expect(bound).toBeGreaterThanOrEqual(sampled * (1 - 1e-9) - noSpeed);
        // The samples are 1/1000 of a segment apart: they miss the fastest place by far less.
        expect(bound).toBeLessThanOrEqual(sampled * (1 + 1e-9) + 2 * looseness(points));
      }),
    );
  });

  it('is never below that of the curve where a rough bound is enough', () => {
    fc.assert(
      fc.property(trajectories, fc.double({ min: 0, max: 1000, noNaN: true }), (points, enough) => {
        const bound = highestTrajectorySpeed(points, enough);
        expect(bound).toBeGreaterThanOrEqual(sampledSpeed(points) * (1 - 1e-9) - noSpeed);
        if (bound <= enough) return;
        // The last digits of a sum and of its parts differ.
        const difference = Math.abs(bound - highestTrajectorySpeed(points, 0));
        expect(difference).toBeLessThanOrEqual(bound * 1e-12);
      }),
    );
  });

  it('is twice the mean speed where velocities point backwards', () => {
    const points = [0, 1, 2].map((s) => point(s, [1.5 * s, 0], [-1.5, 0]));
    expect(highestTrajectorySpeed(points, 1.5)).toBeCloseTo(3, 1);
    expect(highestTrajectorySpeed(points, 1.5)).toBeGreaterThanOrEqual(3);
  });

  it('is 1.5 times the mean speed where velocities are missing', () => {
    const points = [0, 1, 2].map((s) => point(s, [1.5 * s, 0], [0, 0]));
    expect(highestTrajectorySpeed(points, 1.5)).toBeCloseTo(2.25, 2);
  });

  it.each([0.01, 0.05, 0.1, 0.2])(
    'is at most 0.1 %% above that of a planner on a circle with points %d s apart',
    (stepS) => {
      for (const radius of [0.3, 1, 3]) {
        expect(highestTrajectorySpeed(circle(1.5, radius, stepS), 1.5)).toBeLessThan(1.5015);
      }
    },
  );

  it('is at most 1 % above that of a planner that rounds places to millimeters', () => {
    const points = circle(1.5, 1, 0.2).map(({ px, py, ...other }) => ({
      ...other,
      px: Math.round(px * 1000) / 1000,
      py: Math.round(py * 1000) / 1000,
    }));
    expect(highestTrajectorySpeed(points, 1.5)).toBeLessThan(1.515);
  });

  it('throws for no numbers, and a number that is none hides no speed', () => {
    const anyPoints = fc.array(
      fc.record({
        t: fc.record({ nanoseconds: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) }),
        px: fc.double(),
        py: fc.double(),
        vx: fc.double(),
        vy: fc.double(),
      }),
    );
    fc.assert(
      fc.property(anyPoints, fc.double(), (points, enough) => {
        expect(highestTrajectorySpeed(points, enough)).toBeGreaterThanOrEqual(0);
        const none = point(0, [Number.NaN, 0], [Number.NaN, 0]);
        const fast = point(1, [0, 0], [7, 0]);
        const bound = highestTrajectorySpeed([none, fast, none, ...points], 1);
        expect(bound).toBeGreaterThanOrEqual(7);
      }),
    );
  });

  it('is that of the points where their times do not rise', () => {
    const points = [point(1, [0, 0], [1, 0]), point(1, [9, 0], [2, 0]), point(0, [0, 0], [1, 0])];
    expect(highestTrajectorySpeed(points, 0)).toBe(2);
  });
});
