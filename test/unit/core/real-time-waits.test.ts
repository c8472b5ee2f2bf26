import { beforeEach, describe, expect, it } from 'vitest';
import { stopSymbol } from '../../../src/core/index.js';
import { RealTimeBench } from './real-time-bench.js';
import { endedBy, kinds, MS, only, S, speedCommand } from './support.js';

let bench: RealTimeBench;
beforeEach(() => {
  bench = new RealTimeBench();
});

describe('a real-time session that waits for its controllers', () => {
  it('sends no start signal before every controller is ready', () => {
    bench.ready(1);
    expect(only(bench.run(5n * S), 'startSignalSent')).toEqual([]);
    expect(bench.session.phase).toBe('waitingForControllers');
    expect(kinds(bench.ready(2))).toEqual(['controllerReady', 'allReady']);
    expect(only(bench.run(50n * MS), 'startSignalSent')).toHaveLength(1);
  });

  it('names the missing controllers every 2 s', () => {
    bench.ready(2);
    const named = only(bench.run(5n * S), 'controllersMissing');
    expect(named.map(({ ids, awaited, waitedNs }) => ({ ids, awaited, waitedNs }))).toEqual([
      { ids: [1], awaited: 'readySignal', waitedNs: 2n * S },
      { ids: [1], awaited: 'readySignal', waitedNs: 4n * S },
    ]);
  });

  it('ends when the time-out is over, naming the missing once more, and not before', () => {
    bench = new RealTimeBench({ readyTimeoutNs: 5n * S });
    bench.ready(2);
    const before = bench.run(5n * S - 1n);
    expect(only(before, 'controllersMissing').map(({ waitedNs }) => waitedNs)).toEqual([
      2n * S,
      4n * S,
    ]);
    expect(bench.session.phase).toBe('waitingForControllers');
    expect(bench.run(1n)).toEqual([
      { kind: 'controllersMissing', ids: [1], awaited: 'readySignal', waitedNs: 5n * S },
      { kind: 'cancelStart' },
      ...endedBy('readyTimeout'),
    ]);
    expect(bench.session.wakeAtNs).toBeNull();
  });

  it('has no time-out any more when all are ready', () => {
    bench = new RealTimeBench({ readyTimeoutNs: 5n * S, waitForStart: true });
    bench.ready(1);
    bench.ready(2);
    expect(only(bench.run(60n * S), 'ended')).toEqual([]);
  });

  it('reports an unknown controller once and does not count it', () => {
    const receivedAtNs = bench.clocks.monotonicNs;
    const signal = { kind: 'readySignal', sourceId: 'hlc_9', writer: null, receivedAtNs } as const;
    expect(bench.handle(signal)).toEqual([{ kind: 'unknownController', sourceId: 'hlc_9' }]);
    expect(bench.handle(signal)).toEqual([]);
  });

  it('refuses commands, since no period has begun', () => {
    bench.ready(1);
    const [refusal] = only(
      bench.command(speedCommand(1, bench.clocks.realtimeNs)),
      'refuseCommand',
    );
    expect(refusal?.code).toBe('HLC_COMMAND_NO_PERIOD');
  });

  it('is ended by the stop symbol and by the stop event', () => {
    expect(bench.trigger(stopSymbol)).toEqual([{ kind: 'cancelStart' }, ...endedBy('stopTrigger')]);
    expect(bench.session.wakeAtNs).toBeNull();
    expect(new RealTimeBench().handle({ kind: 'stop', atNs: bench.clocks.monotonicNs })).toEqual([
      { kind: 'cancelStart' },
      ...endedBy('stopped'),
    ]);
  });
});

describe('a real-time session that waits for the lab', () => {
  beforeEach(() => {
    bench = new RealTimeBench({ waitForStart: true });
  });

  it('signs in with stamp 0 when all are ready, and every 2 s until the trigger', () => {
    bench.ready(1);
    expect(kinds(bench.ready(2))).toEqual(['controllerReady', 'allReady', 'signIn']);
    expect(bench.run(5n * S)).toEqual([
      { kind: 'signIn', nextStartNs: 0n },
      { kind: 'triggerMissing', wantedNs: null, waitedNs: 2n * S },
      { kind: 'signIn', nextStartNs: 0n },
      { kind: 'triggerMissing', wantedNs: null, waitedNs: 4n * S },
    ]);
    bench.trigger(bench.clocks.realtimeNs + 10n * S);
    expect(bench.run(5n * S)).toEqual([]);
  });

  it('ends when the trigger stays out for the time-out, which begins when all are ready', () => {
    bench = new RealTimeBench({ waitForStart: true, startTimeoutNs: 3n * S });
    bench.ready(1);
    bench.run(10n * S);
    bench.ready(2);
    expect(only(bench.run(3n * S - 1n), 'ended')).toEqual([]);
    expect(bench.run(1n)).toEqual([
      { kind: 'triggerMissing', wantedNs: null, waitedNs: 3n * S },
      { kind: 'cancelStart' },
      ...endedBy('startTimeout'),
    ]);
  });

  it('starts at the first grid time at or after the time of the trigger', () => {
    bench.ready(1);
    bench.ready(2);
    const wanted = bench.clocks.realtimeNs + S;
    bench.trigger(wanted);
    const tNowNs = bench.nextStart();
    expect(tNowNs).toBeGreaterThanOrEqual(wanted);
    expect(tNowNs - wanted).toBeLessThan(50n * MS);
    expect(tNowNs % (50n * MS)).toBe(1n);
    expect(bench.clocks.realtimeNs).toBe(tNowNs);
  });

  it('listens for so long before its first start, also when all are ready at once', () => {
    for (const waitForStart of [true, false]) {
      bench = new RealTimeBench({ waitForStart, listeningNs: 300n * MS });
      const now = bench.clocks.realtimeNs;
      bench.ready(1);
      bench.ready(2);
      bench.trigger(5n);
      const tNowNs = bench.nextStart();
      expect(tNowNs - now).toBeGreaterThanOrEqual(300n * MS);
      expect(tNowNs - now).toBeLessThan(350n * MS);
    }
  });

  it('starts at the next grid time when the time of the trigger is past', () => {
    bench.ready(1);
    bench.ready(2);
    const now = bench.clocks.realtimeNs;
    bench.trigger(5n);
    expect(bench.nextStart() - now).toBeLessThanOrEqual(50n * MS);
    expect(only(bench.log, 'periodsSkipped')).toEqual([]);
  });

  it('never starts at a time that is past, however little', () => {
    bench.ready(1);
    bench.ready(2);
    bench.clocks.monotonicNs += 50n * MS - ((bench.clocks.realtimeNs - 1n) % (50n * MS)) + MS;
    const now = bench.clocks.realtimeNs;
    bench.trigger(now - MS);
    expect(bench.nextStart()).toBe(now + 49n * MS);
  });

  it('keeps a trigger that comes before all are ready', () => {
    bench.trigger(bench.clocks.realtimeNs);
    bench.ready(1);
    expect(bench.session.phase).toBe('waitingForControllers');
    bench.ready(2);
    expect(bench.session.phase).toBe('running');
  });

  it('follows a wall clock that steps before the start', () => {
    bench.ready(1);
    bench.ready(2);
    const wanted = bench.clocks.realtimeNs + 10n * S;
    bench.trigger(wanted);
    bench.run(S);
    bench.clocks.aheadNs += 5n * S;
    const tNowNs = bench.nextStart();
    expect(tNowNs - wanted).toBeLessThan(50n * MS);
    expect(only(bench.log, 'clockStepped')).toEqual([{ kind: 'clockStepped', stepNs: 5n * S }]);
  });

  it('is ended by the stop symbol, and ignores other triggers once it runs', () => {
    bench.ready(1);
    bench.ready(2);
    bench.trigger(0n);
    bench.nextStart();
    expect(bench.trigger(bench.clocks.realtimeNs + S)).toEqual([]);
    expect(bench.nextStart()).toBe(bench.clocks.realtimeNs);
    expect(bench.trigger(stopSymbol)).toEqual([{ kind: 'cancelStart' }, ...endedBy('stopTrigger')]);
  });
});
