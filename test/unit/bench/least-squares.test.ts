import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastSquares } from '../../../bench/least-squares.mjs';

describe('leastSquares', () => {
  it('finds the line through points that lie on one', () => {
    const { coefficients, fitted, residual } = leastSquares(
      [
        [1, 0],
        [1, 1],
        [1, 2],
      ],
      [3, 5, 7],
    );
    expect(coefficients[0]).toBeCloseTo(3, 9);
    expect(coefficients[1]).toBeCloseTo(2, 9);
    expect(fitted[2]).toBeCloseTo(7, 9);
    expect(residual).toBeCloseTo(0, 9);
  });

  it('goes between points that lie on none, and gives their distances', () => {
    const { coefficients, residual } = leastSquares([[1], [1], [1], [1]], [1, 3, 1, 3]);
    expect(coefficients[0]).toBeCloseTo(2, 9);
    expect(residual).toBeCloseTo(1, 9);
  });

  it('finds a + b·v + c·k + d·v·k again, whatever the sizes of the coefficients', () => {
    const sizes = [
      [1, 1],
      [20, 1],
      [255, 1],
      [20, 16],
      [255, 16],
      [255, 64],
    ] as const;
    const coefficient = fc.double({ min: 0.01, max: 1000, noNaN: true });
    fc.assert(
      fc.property(coefficient, coefficient, coefficient, coefficient, (a, b, c, d) => {
        const rows = sizes.map(([v, k]) => [1, v, k, v * k]);
        const values = sizes.map(([v, k]) => a + b * v + c * k + d * v * k);
        const { fitted } = leastSquares(rows, values);
        fitted.forEach((value, index) => {
          expect(Math.abs(value / (values[index] ?? NaN) - 1)).toBeLessThan(1e-6);
        });
      }),
    );
  });
});
