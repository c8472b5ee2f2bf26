import { beforeEach, describe, expect, it } from 'vitest';
import { allSlots } from './slot-writer.js';
import { RealTimeBench } from './real-time-bench.js';
import { MS, only, S } from './support.js';

let bench: RealTimeBench;
beforeEach(() => {
  bench = new RealTimeBench();
});

describe('the start signal that a real-time session prepares', () => {
  const begun = (changes = {}) => {
    bench = new RealTimeBench(changes);
    bench.ready(1);
    bench.ready(2);
    return only(bench.run(60n * MS), 'startSignalSent').at(-1)?.tNowNs ?? 0n;
  };

  it('is one period after the last, with what is known 2 ms before it is due', () => {
    const lastNs = begun();
    const dueNs = lastNs + 50n * MS - bench.clocks.aheadNs;
    bench.run(dueNs - 2n * MS - 1n - bench.clocks.monotonicNs);
    bench.state(1, bench.clocks.realtimeNs - 60n * MS, 'newest');
    const [prepared] = only(bench.run(1n), 'prepareStart');
    expect(prepared?.tNowNs).toBe(lastNs + 50n * MS);
    expect(prepared?.states[0]).toMatchObject({ present: true, payload: 'newest' });
    expect(prepared?.slots.first).toMatchObject({
      notBeforeNs: dueNs,
      notAfterNs: dueNs + 25n * MS,
    });
    const [sent] = only(bench.run(2n * MS), 'startSignalSent');
    expect(sent).toMatchObject({ latenessNs: 0n, standIn: false, tNowNs: prepared?.tNowNs });
    expect(sent?.states).toEqual(prepared?.states);
  });

  it('goes out again for the periods after it while this program stands still', () => {
    const lastNs = begun();
    bench.state(1, bench.clocks.realtimeNs - 70n * MS, 'old');
    const at = (k: bigint) => lastNs + k * 50n * MS - bench.clocks.aheadNs;
    bench.run(at(1n) + 20n * MS - bench.clocks.monotonicNs);
    const sentBefore = only(bench.log, 'startSignalSent').length;
    // The program stands still: only the writer goes on.
    for (let k = 2n; k < 6n; k++) {
      bench.clocks.monotonicNs = at(k) + 5n * MS;
      bench.writer.write(bench.clocks.read());
    }
    const sent = only(bench.log, 'startSignalSent').slice(sentBefore);
    expect(sent.map(({ tNowNs }) => (tNowNs - lastNs) / (50n * MS))).toEqual([2n, 3n, 4n, 5n]);
    expect(sent.map(({ standIn }) => standIn)).toEqual([true, true, true, true]);
    expect(sent.map(({ latenessNs }) => latenessNs)).toEqual(sent.map(() => 5n * MS));
    // Their states are those of the last one that was prepared, older each time.
    const ages = sent.map(({ states: [first] }) => (first?.present === true ? first.ageNs : 0n));
    expect(ages.map((age) => age - (ages[0] ?? 0n))).toEqual([0n, 50n * MS, 100n * MS, 150n * MS]);
    const next = only(bench.run(50n * MS), 'startSignalSent').at(-1);
    expect(next).toMatchObject({ standIn: false, tNowNs: lastNs + 300n * MS });
    expect(only(bench.log, 'periodsSkipped')).toEqual([]);
  });

  it('goes out at once when this program is a little late, and not twice', () => {
    const lastNs = begun({ periods: null });
    bench.writer.standsStill = true;
    bench.clocks.monotonicNs = lastNs + 50n * MS + 3n * MS - bench.clocks.aheadNs;
    bench.writer.standsStill = false;
    bench.handle({ kind: 'wake', now: bench.clocks.read() });
    bench.writer.write(bench.clocks.read());
    bench.run(10n * MS);
    const sent = only(bench.log, 'startSignalSent').filter(({ tNowNs }) => tNowNs > lastNs);
    expect(sent).toMatchObject([{ latenessNs: 3n * MS, standIn: false }]);
  });

  it.each([1n, -1n, 3600n, -3600n])('skips no period when the wall clock steps by %s s', (byS) => {
    for (const lateMs of [0n, 3n]) {
      const lastNs = begun({ periods: null });
      const dueNs = lastNs + 50n * MS - bench.clocks.aheadNs;
      bench.run(dueNs - 1n * MS - bench.clocks.monotonicNs);
      bench.clocks.aheadNs += byS * S;
      bench.clocks.monotonicNs = dueNs + lateMs * MS;
      // The program notices the step before it hears of the start signal, or after that.
      if (lateMs > 0n) bench.handle({ kind: 'wake', now: bench.clocks.read() });
      bench.writer.write(bench.clocks.read());
      const sent = only(bench.run(60n * MS), 'startSignalSent').at(-1);
      expect(only(bench.log, 'clockStepped')).toMatchObject([{ stepNs: byS * S }]);
      expect(only(bench.log, 'periodsSkipped')).toEqual([]);
      expect(sent?.tNowNs).toBe(lastNs + 100n * MS + byS * S);
    }
  });

  it('leaves the vehicles in the next ones when the wall clock steps back before it goes out', () => {
    const lastNs = begun({ periods: null });
    const dueNs = lastNs + 50n * MS - bench.clocks.aheadNs;
    bench.run(dueNs - 1n * MS - bench.clocks.monotonicNs);
    bench.clocks.aheadNs -= 3600n * S;
    for (let i = 0; i < 20; i++) {
      bench.run(20n * MS);
      // Valid 60 ms after it was made, so never before the next one is made.
      bench.state(1, bench.clocks.realtimeNs, 'state');
    }
    const sent = only(bench.run(50n * MS), 'startSignalSent').at(-1);
    expect(sent?.states[0]).toMatchObject({ present: true, payload: 'state' });
  });

  it('skips no period when several go out of before a step of the wall clock', () => {
    const lastNs = begun({ periods: null });
    const at = (k: bigint) => lastNs + k * 50n * MS - bench.clocks.aheadNs;
    const dues = [2n, 3n, 4n].map((k) => at(k) + 5n * MS);
    bench.run(at(1n) + 20n * MS - bench.clocks.monotonicNs);
    bench.clocks.aheadNs -= 3600n * S;
    for (const dueNs of dues) {
      bench.clocks.monotonicNs = dueNs;
      bench.writer.write(bench.clocks.read());
    }
    bench.run(200n * MS);
    expect(only(bench.log, 'periodsSkipped')).toEqual([]);
  });

  it('is skipped and counted when it did not go out until half of the period is over', () => {
    const lastNs = begun();
    bench.writer.standsStill = true;
    bench.run(lastNs + 80n * MS - bench.clocks.realtimeNs);
    bench.writer.standsStill = false;
    expect(only(bench.log, 'periodsSkipped')).toMatchObject([{ count: 1 }]);
    const next = only(bench.run(60n * MS), 'startSignalSent');
    expect(next[0]?.tNowNs).toBe(lastNs + 100n * MS);
  });

  it('counts when the writer sent it just before it got the plan that replaces it', () => {
    const lastNs = begun();
    bench.writer.standsStill = true;
    const [prepared] = only(bench.run(50n * MS), 'prepareStart');
    const at = (afterNs: bigint) => lastNs + afterNs - bench.clocks.aheadNs;
    bench.run(at(80n * MS) - bench.clocks.monotonicNs);
    bench.clocks.monotonicNs = at(106n * MS);
    const now = bench.clocks.read();
    expect(only(bench.handle({ kind: 'wake', now }), 'prepareStart')).toHaveLength(1);
    if (prepared === undefined) expect.fail('nothing is prepared');
    const [, slot] = allSlots(prepared.slots);
    if (slot === undefined) expect.fail('nothing stands in');
    const { index, tNowNs } = slot;
    const { plan } = prepared;
    const { monotonicNs: atNs } = now;
    const late = bench.handle({ kind: 'startSent', plan, index, tNowNs, now, atNs });
    expect(only(late, 'startSignalSent')).toMatchObject([{ tNowNs, standIn: true }]);
  });

  it('has a number above that of every one that went out, also by a plan that is forgotten', () => {
    begun({ periods: null });
    const [prepared] = only(bench.run(50n * MS), 'prepareStart');
    const { index = NaN } = prepared?.slots.first ?? {};
    const now = bench.clocks.read();
    const { monotonicNs: atNs } = now;
    bench.handle({ kind: 'startSent', plan: -1, index: index + 5, tNowNs: 0n, now, atNs });
    const next = only(bench.run(100n * MS), 'prepareStart').at(-1);
    expect(next?.slots.first.index).toBeGreaterThan(index + 5);
  });

  it.each([{ kind: 'halt' }, { kind: 'catchUp', limit: 2 }] as const)(
    'stands in for no other one with the policy $kind',
    (overrun) => {
      begun({ overrun });
      expect(only(bench.run(50n * MS), 'prepareStart')[0]?.slots.standIns).toBe(0);
    },
  );

  it('has no slot after the last period of the run', () => {
    begun({ periods: 3 });
    const [prepared] = only(bench.run(50n * MS), 'prepareStart');
    expect(prepared?.slots.standIns).toBe(1);
  });
});
