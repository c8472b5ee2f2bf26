import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firstAtOrAfter,
  nearest,
  nextAfter,
  periodsBetween,
  realTimeGrid,
  simulatedGrid,
} from '../../../src/core/period-grid.js';

const time = fc.bigInt({ min: -(10n ** 12n), max: 2n * 10n ** 18n });
const grid = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 0n, max: 10n ** 13n }))
  .map(([periodNs, offsetNs]) => simulatedGrid(periodNs, offsetNs));

const onGrid = (t: bigint, { periodNs, offsetNs }: { periodNs: bigint; offsetNs: bigint }) =>
  (t - offsetNs) % periodNs === 0n;

describe('the period grid', () => {
  it('has its first time at or after a time less than a period away', () => {
    fc.assert(
      fc.property(grid, time, (g, t) => {
        const first = firstAtOrAfter(g, t);
        expect(onGrid(first, g)).toBe(true);
        expect(first >= t && first - t < g.periodNs).toBe(true);
      }),
    );
  });

  it('has its next time after a time at most a period away', () => {
    fc.assert(
      fc.property(grid, time, (g, t) => {
        const next = nextAfter(g, t);
        expect(onGrid(next, g)).toBe(true);
        expect(next > t && next - t <= g.periodNs).toBe(true);
      }),
    );
  });

  it('has its nearest time at most half a period away', () => {
    fc.assert(
      fc.property(grid, time, (g, t) => {
        const near = nearest(g, t);
        const distance = near > t ? near - t : t - near;
        expect(onGrid(near, g)).toBe(true);
        expect(2n * distance <= g.periodNs).toBe(true);
      }),
    );
  });

  it('takes the later of two equally near times', () => {
    expect(nearest(simulatedGrid(10n, 0n), 25n)).toBe(30n);
  });

  it('counts the periods between two grid times', () => {
    const g = realTimeGrid(50n, 1n);
    expect(periodsBetween(g, 51n, 201n)).toBe(3);
    expect(periodsBetween(g, 201n, 51n)).toBe(-3);
  });

  it('refuses a period that is not above 0', () => {
    expect(() => realTimeGrid(0n, 0n)).toThrow('The period is 0 ns');
    expect(() => simulatedGrid(-5n, 0n)).toThrow('The period is -5 ns');
  });

  it('refuses an offset that is negative, or not less than the period in real time', () => {
    expect(() => realTimeGrid(50n, 50n)).toThrow('offset 50 ns');
    expect(() => simulatedGrid(50n, -1n)).toThrow('offset -1 ns');
    expect(realTimeGrid(50n, 49n).offsetNs).toBe(49n);
    expect(simulatedGrid(50n, 120n).offsetNs).toBe(120n);
  });
});
