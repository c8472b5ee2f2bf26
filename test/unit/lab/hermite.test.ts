import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hermite, type CurvePoint } from '../../../src/core/index.js';
import { curvatureAt } from '../../../src/lab/tracking/control-laws.js';

const number = fc.double({ min: -5, max: 5, noNaN: true });
const point = fc.record<CurvePoint>({ x: number, y: number, dx: number, dy: number });
const length = fc.double({ min: 0.1, max: 3, noNaN: true });

describe('the Hermite curve', () => {
  it('meets both points and both derivatives', () => {
    fc.assert(
      fc.property(point, point, length, (from, to, range) => {
        for (const [fraction, wanted] of [
          [0, from],
          [1, to],
        ] as const) {
          const sample = hermite(from, to, range, fraction);
          for (const key of ['x', 'y', 'dx', 'dy'] as const) {
            expect(sample[key]).toBeCloseTo(wanted[key], 9);
          }
        }
      }),
    );
  });

  it('has the derivatives that the curve itself has', () => {
    const step = 1e-5;
    const inner = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(point, point, length, inner, (from, to, range, fraction) => {
        const here = hermite(from, to, range, fraction);
        const before = hermite(from, to, range, fraction - step / range);
        const after = hermite(from, to, range, fraction + step / range);
        expect((after.x - before.x) / (2 * step)).toBeCloseTo(here.dx, 3);
        expect((after.y - before.y) / (2 * step)).toBeCloseTo(here.dy, 3);
        expect((after.dx - before.dx) / (2 * step)).toBeCloseTo(here.ddx, 3);
        expect((after.dy - before.dy) / (2 * step)).toBeCloseTo(here.ddy, 3);
      }),
    );
  });

  it('bends like a circle when its points are those of one, and to the left when positive', () => {
    const onCircle = (angle: number) => ({
      x: 2 * Math.sin(angle),
      y: -2 * Math.cos(angle),
      dx: Math.cos(angle),
      dy: Math.sin(angle),
    });
    const sample = hermite(onCircle(0), onCircle(0.2), 0.4, 0.5);
    expect(curvatureAt(sample)).toBeCloseTo(0.5, 2);
  });

  it('has no curvature where it rests', () => {
    const rest = { x: 1, y: 1, dx: 0, dy: 0 };
    expect(curvatureAt(hermite(rest, rest, 1, 0.5))).toBe(0);
  });
});
