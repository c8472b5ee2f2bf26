import { describe, expect, it } from 'vitest';
import { TimeSeries } from '../../../src/replay/time-series.js';
import { VehiclePath } from '../../../src/replay/vehicle-path.js';

describe('A series of values', () => {
  it('has all points and exact quantiles of a short run', () => {
    const series = new TimeSeries();
    for (let i = 0; i < 1000; i++) series.add(i, 999 - i);
    expect(series.points).toEqual(
      Array.from({ length: 1000 }, (_, i) => ({ timeS: i, value: 999 - i })),
    );
    expect(series.quantiles).toEqual({ p50: 500, p99: 990, max: 999 });
    expect(new TimeSeries().quantiles).toEqual({ p50: 0, p99: 0, max: 0 });
  });

  it('keeps few points of a long run: every peak, all of the time, the quantiles', () => {
    const series = new TimeSeries();
    const count = 1_000_000;
    const peaks = new Map([
      [3, 90],
      [123_457, 91],
      [999_998, -5],
    ]);
    // Every second value is large, as of a controller that plans in every second period.
    for (let i = 0; i < count; i++) series.add(i, peaks.get(i) ?? (i % 2 === 0 ? 2 : 30));
    const { points, quantiles } = series;
    expect(series.count).toBe(count);
    expect(points.length).toBeLessThanOrEqual(4100);
    for (const [timeS, value] of peaks) expect(points).toContainEqual({ timeS, value });
    const times = points.map(({ timeS }) => timeS);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const gaps = times.map((timeS, i) => timeS - (times[i - 1] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(count / 500);
    expect(quantiles).toMatchObject({ p99: 30, max: 91 });
    const small = new TimeSeries();
    for (let i = 0; i < count; i++) small.add(i, i % 10 < 6 ? 2 : 30);
    expect(small.quantiles).toEqual({ p50: 2, p99: 30, max: 30 });
  });
});

describe('A path', () => {
  it('has all poses of a short run', () => {
    const path = new VehiclePath();
    for (let i = 0; i < 1000; i++) path.add({ timeS: i, x: 2 * i, y: -i });
    expect(path).toHaveLength(1000);
    expect(path.at(999)).toEqual({ timeS: 999, x: 1998, y: -999 });
    expect(path.at(1000)).toBeUndefined();
    expect(path.at(-1)).toBeUndefined();
    expect([...path][1]).toEqual({ timeS: 1, x: 2, y: -1 });
  });

  it('has evenly spaced poses of a long run, and its last one', () => {
    const path = new VehiclePath();
    const count = 1_000_001;
    for (let i = 0; i < count; i++) path.add({ timeS: i, x: i, y: 0 });
    expect(path.length).toBeLessThanOrEqual(65_536);
    expect(path.length).toBeGreaterThan(32_768);
    const poses = [...path];
    expect(poses.every(({ timeS, x }, i) => timeS === 16 * i && x === timeS)).toBe(true);
    expect(poses).toHaveLength(Math.ceil(count / 16));
    expect(path.last).toEqual({ timeS: count - 1, x: count - 1, y: 0 });
  });
});
