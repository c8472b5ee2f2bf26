import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idlePacing, nextStart, pace, type Pacing, planFirst } from '../../../src/core/pacing.js';
import { realTimeGrid } from '../../../src/core/period-grid.js';
import { cpmLabLatestStart, defaultLatestStart } from '../../../src/core/start-plan.js';
import { MS, S, TestClocks } from './support.js';

const P = 50n * MS;
const grid = realTimeGrid(P, 1n);

/** Clocks, and a pacer with its first start planned at the next grid time. */
function begin(): { clocks: TestClocks; pacing: Pacing } {
  const clocks = new TestClocks(5n * S, 1_700_000_000n * S);
  const idle = idlePacing(grid, clocks.read(), { kind: 'skip' }, defaultLatestStart(P));
  return { clocks, pacing: planFirst(idle, clocks.realtimeNs) };
}

/** A pacer that is woken whenever it wants, `latenessNs` later. */
class Rhythm {
  readonly clocks: TestClocks;
  pacing: Pacing;
  wakeAtNs: bigint;
  skipped = 0;
  steps: bigint[] = [];

  constructor() {
    ({ clocks: this.clocks, pacing: this.pacing } = begin());
    this.wakeAtNs = this.clocks.monotonicNs;
  }

  /** Wakes until a start happens; returns its time and its due instant. */
  next(latenessNs = 0n): { tNowNs: bigint; dueAtNs: bigint; atNs: bigint } {
    for (let i = 0; i < 100; i++) {
      if (this.wakeAtNs > this.clocks.monotonicNs) this.clocks.monotonicNs = this.wakeAtNs;
      this.clocks.monotonicNs += latenessNs;
      const result = pace(this.pacing, this.clocks.read());
      this.pacing = result.pacing;
      this.wakeAtNs = result.wakeAtNs;
      this.skipped += result.skipped;
      if (result.clockStepNs !== null) this.steps.push(result.clockStepNs);
      if (result.start === null) continue;
      const atNs = this.clocks.monotonicNs;
      return { tNowNs: result.start.tNowNs, dueAtNs: atNs - result.start.latenessNs, atNs };
    }
    throw new Error('no start in 100 wakes');
  }
}

describe('pacing', () => {
  it('has no start without a target', () => {
    const { clocks } = begin();
    const idle = idlePacing(grid, clocks.read(), { kind: 'skip' }, defaultLatestStart(P));
    clocks.monotonicNs += 10n * S;
    const result = pace(idle, clocks.read());
    expect(result.start).toBeNull();
    expect(result.wakeAtNs).toBe(clocks.monotonicNs + S);
    expect(nextStart(result.pacing)).toBeNull();
  });

  it('does nothing when it is woken too early', () => {
    const { clocks, pacing } = begin();
    const first = pace(pacing, clocks.read());
    expect(first.start).toBeNull();
    clocks.monotonicNs = first.wakeAtNs - 1n;
    expect(pace(first.pacing, clocks.read()).start).toBeNull();
    clocks.monotonicNs = first.wakeAtNs;
    expect(pace(first.pacing, clocks.read()).start?.latenessNs).toBe(0n);
  });

  it('renews the relation of the clocks every second of a long wait', () => {
    const { clocks } = begin();
    const idle = idlePacing(grid, clocks.read(), { kind: 'skip' }, defaultLatestStart(P));
    const pacing = planFirst(idle, clocks.realtimeNs + 3600n * S);
    expect(pace(pacing, clocks.read()).wakeAtNs).toBe(clocks.monotonicNs + S);
  });

  it('has a start at each grid time when every wake is a little late', () => {
    const rhythm = new Rhythm();
    const first = rhythm.next(MS);
    for (let k = 1n; k < 20n; k++) {
      const { tNowNs, dueAtNs, atNs } = rhythm.next(MS);
      expect(tNowNs).toBe(first.tNowNs + k * P);
      expect(atNs - dueAtNs).toBe(MS);
    }
    expect(rhythm.skipped).toBe(0);
  });

  it('follows a slewed wall clock without calling it a step', () => {
    const rhythm = new Rhythm();
    const first = rhythm.next();
    for (let k = 1n; k < 200n; k++) {
      rhythm.clocks.aheadNs += P / 12n;
      const { tNowNs } = rhythm.next();
      expect(tNowNs).toBe(first.tNowNs + k * P);
      expect(rhythm.clocks.realtimeNs - tNowNs).toBeLessThanOrEqual(P / 12n);
    }
    expect(rhythm.steps).toEqual([]);
  });

  it('keeps the rhythm over a step of the wall clock, and reports its size', () => {
    for (const step of [S, -S, 3600n * S, -3600n * S, 20n * MS, -20n * MS]) {
      const rhythm = new Rhythm();
      const before = rhythm.next();
      rhythm.clocks.aheadNs += step;
      const after = rhythm.next();
      expect(rhythm.steps).toEqual([step]);
      expect(after.dueAtNs - before.dueAtNs).toBeGreaterThanOrEqual(P / 2n);
      expect(after.dueAtNs - before.dueAtNs).toBeLessThanOrEqual(P + P / 2n);
      expect(rhythm.skipped).toBe(0);
    }
  });

  it('skips whole periods after an overrun, and goes on in the future on the grid', () => {
    const rhythm = new Rhythm();
    const { tNowNs } = rhythm.next();
    rhythm.clocks.monotonicNs += 3n * P + P / 2n + 1n;
    const next = rhythm.next();
    expect(rhythm.skipped).toBe(3);
    expect(next.tNowNs).toBe(tNowNs + 4n * P);
    expect(next.atNs).toBe(next.dueAtNs);
  });

  it('still has a start that is late by half a period, and none that is later', () => {
    const inTime = new Rhythm();
    inTime.next();
    inTime.clocks.monotonicNs += P + P / 2n;
    expect(inTime.next().atNs).toBe(inTime.clocks.monotonicNs);
    expect(inTime.skipped).toBe(0);

    const tooLate = new Rhythm();
    tooLate.next();
    tooLate.clocks.monotonicNs += P + P / 2n + 1n;
    tooLate.next();
    expect(tooLate.skipped).toBe(1);
  });

  it('skips only what is late by a whole period, where that is the limit', () => {
    const lateBy = (ns: bigint) => {
      const rhythm = new Rhythm();
      const { tNowNs } = rhythm.next();
      rhythm.pacing = { ...rhythm.pacing, latestNs: cpmLabLatestStart(P) };
      rhythm.clocks.monotonicNs += P + ns;
      const next = rhythm.next();
      return { skipped: rhythm.skipped, periods: (next.tNowNs - tNowNs) / P, next, rhythm };
    };
    const inTime = lateBy(P - 1n);
    expect(inTime).toMatchObject({ skipped: 0, periods: 1n });
    expect(inTime.next.atNs).toBe(inTime.rhythm.clocks.monotonicNs);
    expect(inTime.rhythm.next().tNowNs).toBe(inTime.next.tNowNs + P);
    expect(lateBy(P)).toMatchObject({ skipped: 1, periods: 2n });
    expect(lateBy(3n * P - 1n)).toMatchObject({ skipped: 2, periods: 3n });
  });

  it('plans a first start again when its time is long past, without counting skips', () => {
    const { clocks, pacing } = begin();
    clocks.aheadNs += 3600n * S;
    const result = pace(pacing, clocks.read());
    expect(result.skipped).toBe(0);
    expect(result.clockStepNs).toBe(3600n * S);
    clocks.monotonicNs = result.wakeAtNs;
    expect(pace(result.pacing, clocks.read()).start?.latenessNs).toBe(0n);
  });

  it('keeps the distance of starts under random lateness, drift and steps', () => {
    const happening = fc.record({
      stepNs: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0n) },
        { weight: 3, arbitrary: fc.bigInt({ min: -P / 100n, max: P / 100n }) },
        { weight: 1, arbitrary: fc.bigInt({ min: -3600n * S, max: 3600n * S }) },
      ),
      latenessNs: fc.bigInt({ min: 0n, max: P / 4n }),
      stallNs: fc.oneof(
        { weight: 9, arbitrary: fc.constant(0n) },
        { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 10n * P }) },
      ),
    });
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (happenings) => {
        const rhythm = new Rhythm();
        let last = rhythm.next();
        for (const { stepNs, latenessNs, stallNs } of happenings) {
          rhythm.clocks.aheadNs += stepNs;
          rhythm.clocks.monotonicNs += stallNs;
          const { skipped } = rhythm;
          rhythm.steps = [];
          const start = rhythm.next(latenessNs);
          const distance = start.dueAtNs - last.dueAtNs;
          expect((start.tNowNs - 1n) % P).toBe(0n);
          expect(rhythm.clocks.realtimeNs - start.tNowNs).toBe(start.atNs - start.dueAtNs);
          expect(start.atNs - start.dueAtNs).toBeLessThanOrEqual(P / 2n);
          expect(distance).toBeGreaterThanOrEqual(P / 2n);
          const left = BigInt(rhythm.skipped - skipped);
          expect(distance).toBeLessThanOrEqual((left + 1n) * P + P / 2n);
          if (rhythm.steps.length === 0) {
            expect(start.tNowNs - last.tNowNs).toBe((left + 1n) * P);
          }
          last = start;
        }
      }),
    );
  });
});

describe('an overrun', () => {
  /** Stalled for this long after a first start, with a policy. */
  function stalled(overrun: Pacing['overrun'], ns: bigint) {
    const { clocks, pacing: first } = begin();
    clocks.monotonicNs += 1n;
    const started = pace({ ...first, overrun }, clocks.read());
    if (started.start === null) throw new Error('no first start');
    clocks.monotonicNs += ns;
    return { clocks, firstNs: started.start.tNowNs, result: pace(started.pacing, clocks.read()) };
  }

  it('halts by that policy, and asks for nothing more', () => {
    const { result } = stalled({ kind: 'halt' }, 3n * P);
    expect(result).toMatchObject({ halted: true, start: null, skipped: 0 });
    expect(nextStart(result.pacing)).toBeNull();
  });

  it('is made up for by no more than the limit, at twice the rhythm, until all is in time', () => {
    const limit = fc.integer({ min: 1, max: 6 });
    fc.assert(
      fc.property(limit, fc.bigInt(P + P / 2n + 1n, 12n * P), (most, ns) => {
        const { clocks, firstNs, result } = stalled({ kind: 'catchUp', limit: most }, ns);
        let last = result;
        let tNowNs = last.start?.tNowNs ?? 0n;
        expect(Number((tNowNs - firstNs) / P) - 1).toBe(last.skipped);
        const dueInAll = Number((clocks.realtimeNs - firstNs) / P);
        expect(dueInAll - last.skipped).toBe(Math.min(dueInAll, most));
        let atNs = clocks.monotonicNs;
        for (let starts = 0; starts < 2 * most + 2; starts++) {
          clocks.monotonicNs = last.wakeAtNs;
          last = pace(last.pacing, clocks.read());
          if (last.start === null) continue;
          expect(last.start.tNowNs, 'one period left out').toBe(tNowNs + P);
          expect(clocks.monotonicNs - atNs, 'a burst').toBeGreaterThanOrEqual(P / 2n);
          expect(last.start.latenessNs).toBeGreaterThanOrEqual(0n);
          atNs = clocks.monotonicNs;
          ({ tNowNs } = last.start);
        }
        expect(last.start?.latenessNs ?? 0n, 'still late').toBe(0n);
        expect(last.skipped).toBe(0);
      }),
    );
  });

  it('is not made up for when the wall clock steps meanwhile', () => {
    const { clocks, result } = stalled({ kind: 'catchUp', limit: 4 }, 5n * P);
    clocks.aheadNs -= 3600n * S;
    clocks.monotonicNs = result.wakeAtNs;
    const after = pace(result.pacing, clocks.read());
    expect(after.clockStepNs).toBe(-3600n * S);
    expect(after.wakeAtNs - clocks.monotonicNs).toBeLessThanOrEqual(P);
  });
});
