import { describe, expect, it } from 'vitest';
import { Series } from '../../../src/observe/page/series.js';

const minuteMs = 60_000;

describe('the values of a chart', () => {
  it('are all there for a minute, and then the worst of each second for an hour', () => {
    const series = new Series();
    const stepMs = 50;
    const endMs = 65 * minuteMs;
    for (let t = 0; t < endMs; t += stepMs) series.push(t, t % 1000 === 500 ? 9 : 1);
    const { t, ms } = series;
    expect(t).toHaveLength(ms.length);
    expect(t.toSorted((a, b) => a - b)).toEqual(t);
    expect(t.filter((each) => each >= endMs - minuteMs)).toHaveLength(minuteMs / stepMs);
    // What came since the last merge is there, too.
    expect(t.length).toBeLessThan(3600 + minuteMs / stepMs + 2000);
    expect(t[0]).toBeGreaterThan(4 * minuteMs - 1000);
    const old = ms.slice(1, 3000);
    expect(old.every((each) => each === 9)).toBe(true);
  });

  it('of many steps a second are bounded', () => {
    const series = new Series();
    for (let i = 0; i < 300_000; i++) series.push(i / 5, 1);
    expect(series.t.length).toBeLessThan(22_000);
  });

  it('have earlier ones before them, also those without a value', () => {
    const series = new Series();
    series.push(5000, 3);
    series.prepend([1000, 2000], [null, 2]);
    expect(series.t).toEqual([1000, 2000, 5000]);
    expect(series.ms).toEqual([null, 2, 3]);
    for (let i = 0; i < 1200; i++) series.push(100_000 + i, 1);
    expect(series.ms.slice(0, 3)).toEqual([null, 2, 3]);
  });
});
