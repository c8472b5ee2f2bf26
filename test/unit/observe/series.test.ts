import { describe, expect, it } from 'vitest';
import { Series } from '../../../src/observe/page/series.js';
import { usedMemory } from '../../support/collect-garbage.js';

const minuteMs = 60_000;

describe('the values of a chart', () => {
  it('are all there for a minute, and then the worst of each second for an hour', () => {
    const series = new Series();
    const stepMs = 50;
    const endMs = 65 * minuteMs;
    for (let t = 0; t < endMs; t += stepMs) series.push(t, t % 1000 === 500 ? 9 : 1);
    const t = [...series.t];
    const ms = [...series.ms];
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

  it('have earlier ones before them, also when many follow', () => {
    const series = new Series();
    series.push(5000, 3);
    series.prepend([1000, 2000], [1, 2]);
    expect([...series.t]).toEqual([1000, 2000, 5000]);
    expect([...series.ms]).toEqual([1, 2, 3]);
    for (let i = 0; i < 1200; i++) series.push(100_000 + i, 1);
    expect([...series.ms.slice(0, 4)]).toEqual([1, 2, 3, 1]);
    expect(series.t).toHaveLength(1203);
  });

  it('of 100 controllers take less than 9 MB in an hour', () => {
    const before = usedMemory();
    const all = Array.from({ length: 100 }, () => new Series());
    for (const series of all) {
      const seconds = Array.from({ length: 3540 }, (_, i) => i * 1000);
      series.prepend(seconds, seconds);
      for (let t = 3_540_000; t < 3_600_000; t += 50) series.push(t, 1);
    }
    expect(usedMemory() - before).toBeLessThan(9_000_000);
    expect(all.every(({ t }) => t.length > 4700)).toBe(true);
  });
});
