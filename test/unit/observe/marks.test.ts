import { describe, expect, it } from 'vitest';
import { PageBacklog } from '../../../src/observe/live/page-backlog.js';
import { Marks, marksOf, marksText, type CountedMark } from '../../../src/observe/page/marks.js';

const minuteMs = 60_000;
const total = (marks: readonly CountedMark[]) => marks.reduce((sum, { count }) => sum + count, 0);

describe('the marks of a chart', () => {
  it('keep the stops and each count of an hour in which 100 controllers miss all periods', () => {
    const marks = new Marks();
    const controllers = 100;
    const periodMs = 500;
    for (let t = 0; t < 60 * minuteMs; t += periodMs) {
      if (t % (10 * minuteMs) === 0) marks.push({ kind: 'stop', id: 7, t });
      for (let id = 1; id <= controllers; id++) marks.push({ kind: 'miss', id, t });
    }
    expect(marks.of('stop').map(({ t }) => t / minuteMs)).toEqual([0, 10, 20, 30, 40, 50]);
    const misses = marks.of('miss');
    expect(misses.length).toBeLessThan(22_000);
    expect(total(misses)).toBe((60 * minuteMs * controllers) / periodMs);
    expect(misses.map(({ t }) => t)).toEqual(misses.map(({ t }) => t).toSorted((a, b) => a - b));
  });

  it('are one by one for a minute, then counted for each second and controller, for an hour', () => {
    const marks = new Marks();
    const endMs = 70 * minuteMs;
    for (let t = 0; t < endMs; t += 250) marks.push({ kind: 'refusal', id: 1, t });
    const refusals = marks.of('refusal');
    expect(refusals.filter(({ t }) => t >= endMs - minuteMs)).toHaveLength(240);
    const old = refusals.filter(({ t }) => t > 20 * minuteMs && t < 60 * minuteMs);
    expect(old.every(({ t, count }) => t % 1000 === 0 && count === 4)).toBe(true);
    expect(refusals[0]?.t).toBeGreaterThan(5 * minuteMs);
  });

  it('have those of the history before them, in the order of time', () => {
    const line = (id: number, miss: number[], stop: number[] = []) => ({
      ...{ id, ms: [], marks: { miss, refusal: [], stop } },
    });
    // Index of the second, and its count.
    const controllers = [line(2, [0, 2], [0, 1]), line(1, [0, 2, 1, 2, 2, 2])];
    const history = { seconds: [1, 2, 9], latenessMs: [], controllers };
    const miss = marksOf(history, 'miss', 9500);
    const stop = marksOf(history, 'stop', 9500);
    const marks = new Marks();
    marks.push({ kind: 'miss', id: 3, t: 9600 });
    marks.prepend('miss', miss);
    expect(marks.of('miss')).toEqual([
      { id: 2, t: 1000, count: 2 },
      { id: 1, t: 1000, count: 2 },
      { id: 1, t: 2000, count: 2 },
      { id: 3, t: 9600, count: 1 },
    ]);
    expect(stop).toEqual([{ id: 2, t: 1000, count: 1 }]);
  });

  it('are named by their controllers and counts', () => {
    const at = (id: number, count = 1): CountedMark => ({ id, t: 0, count });
    expect(marksText([])).toBe('');
    expect(marksText([at(5), at(2, 2), at(2)])).toBe('2 (3 ×), 5');
    expect(marksText(Array.from({ length: 10 }, (_, i) => at(i)))).toBe(
      '0, 1, 2, 3, 4, 5, 6, 7, 2 more',
    );
  });
});

it('a page that does not read loses no stop because of misses', () => {
  const backlog = new PageBacklog();
  backlog.mark({ kind: 'stop', id: 1, t: 1 });
  for (let t = 2; t < 10_000; t++) backlog.mark({ kind: 'miss', id: 1, t });
  const { marks = [], lost } = backlog.take(1, 0) ?? {};
  expect(marks.filter(({ kind }) => kind === 'stop')).toHaveLength(1);
  expect(lost).toBe(9999 - marks.length);
});
