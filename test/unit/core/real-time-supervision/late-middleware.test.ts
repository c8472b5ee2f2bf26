import { describe, expect, it } from 'vitest';
import { defaultCommandRules, type OverrunPolicy } from '../../../../src/core/index.js';
import { endedBy, MS, only, S, speedCommand } from '../support.js';
import { P, report, silent, stopCommands, supervised } from './supervised-bench.js';

/** A command may be 30 ms old when it is forwarded. */
const aged = {
  ...defaultCommandRules,
  settings: { ...defaultCommandRules.settings, maxAgeNs: 30n * MS },
};

describe('a middleware that was held up', () => {
  it('judges no controller for the period in which it was', () => {
    const bench = supervised();
    bench.start();
    bench.clocks.monotonicNs += 2n * P + 3n * MS;
    bench.run(P - 4n * MS);
    expect(only(bench.log, 'periodsSkipped')).toMatchObject([{ count: 1 }]);
    expect(report(bench)).toMatchObject({ replies: 0, misses: 0 });
    bench.run(P);
    expect(report(bench)).toMatchObject({ replies: 0, misses: 1 });
  });

  it('counts a reply that it handed on too late, and its vehicle is stopped all the same', () => {
    const bench = silent({ stopAfterNs: S }, { rules: aged });
    const stamp = bench.nextStart();
    const receivedAtNs = bench.clocks.monotonicNs;
    bench.clocks.monotonicNs += 40n * MS;
    bench.command(speedCommand(2, stamp), receivedAtNs);
    expect(only(bench.log, 'refuseCommand')).toMatchObject([{ code: 'HLC_COMMAND_TOO_OLD' }]);
    expect(report(bench)).toMatchObject({ replies: 2, misses: 0 });
    for (let handedOn = 0; handedOn < 30 && stopCommands(bench).length === 0; handedOn++) {
      const next = bench.nextStart();
      const atNs = bench.clocks.monotonicNs;
      bench.clocks.monotonicNs += 40n * MS;
      bench.command(speedCommand(2, next), atNs);
    }
    expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 2, cause: 'silent' }]);
  });

  it('counts no reply that was too old at its reception', () => {
    const bench = silent({}, { rules: aged });
    for (let k = 0; k < 3; k++) {
      const stamp = bench.nextStart();
      bench.clocks.monotonicNs += 40n * MS;
      bench.command(speedCommand(2, stamp));
    }
    bench.run(P);
    expect(report(bench)).toMatchObject({ replies: 1, misses: 3 });
    expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 2, cause: 'misses' }]);
  });
});

describe('an overrun of the middleware itself', () => {
  const stalled = (overrun: OverrunPolicy, periods: bigint) => {
    const bench = supervised({}, { overrun });
    const first = bench.start();
    bench.clocks.monotonicNs += periods * P + P / 5n;
    const effects = bench.wake();
    return { bench, first, effects };
  };

  it('ends the run where that is wanted', () => {
    const { effects, bench } = stalled({ kind: 'halt' }, 2n);
    expect(effects.at(-1)).toEqual(endedBy('overrun')[1]);
    expect(bench.session.wakeAtNs).toBeNull();
  });

  it('is made up for where that is wanted, with half a period between the start signals', () => {
    const { bench, first, effects } = stalled({ kind: 'catchUp', limit: 2 }, 5n);
    // Of the five that are late, three are left out.
    expect(only(effects, 'periodsSkipped')).toEqual([{ kind: 'periodsSkipped', count: 3 }]);
    const startedAtNs = bench.clocks.monotonicNs;
    bench.run(4n * P);
    const starts = only(bench.log, 'startSignalSent').map(({ tNowNs }) => (tNowNs - first) / P);
    expect(starts).toEqual([0n, 4n, 5n, 6n, 7n, 8n, 9n]);
    expect(bench.clocks.monotonicNs - startedAtNs).toBe(4n * P);
    const late = only(bench.log, 'startSignalSent').map(({ latenessNs }) => latenessNs);
    expect(late.at(-1)).toBe(0n);
  });
});
