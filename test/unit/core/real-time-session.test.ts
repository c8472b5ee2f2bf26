import { beforeEach, describe, expect, it } from 'vitest';
import {
  cpmLabCommandRules,
  defaultCommandRules,
  stopSymbol,
  type Command,
} from '../../../src/core/index.js';
import { allSlots } from './slot-writer.js';
import { RealTimeBench } from './real-time-bench.js';
import { base, endedBy, kinds, MS, only, S, speedCommand } from './support.js';

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

describe('a running real-time session', () => {
  it('sends a start signal at each grid time, with the newest valid states by id', () => {
    bench.state(2, bench.clocks.realtimeNs - 100n * MS, 'two');
    bench.state(1, bench.clocks.realtimeNs - 300n * MS, 'one, old');
    bench.state(1, bench.clocks.realtimeNs - 200n * MS, 'one');
    bench.state(1, bench.clocks.realtimeNs, 'one, not valid yet');
    bench.state(9, bench.clocks.realtimeNs - 200n * MS, 'not active');
    const first = bench.start();
    const [signal] = only(bench.log, 'startSignalSent');
    expect(signal?.states.map((e) => (e.present ? e.payload : `no ${e.vehicleId}`))).toEqual([
      'one',
      'two',
      'no 7',
    ]);
    expect(signal?.observations.every((e) => !e.present)).toBe(true);
    expect(signal?.periodNs).toBe(50n * MS);
    expect([bench.nextStart(), bench.nextStart()]).toEqual([first + 50n * MS, first + 100n * MS]);
  });

  /** A plan of 4 s, valid from 1 s after now, as the original's example eight_zero sends it. */
  const plan = (createNs: bigint, beginsNs: bigint): Command => ({
    kind: 'trajectory',
    message: {
      ...base(1, createNs, createNs + S),
      trajectory_points: [0n, 1n, 2n, 3n, 4n].map((seconds) => ({
        t: { nanoseconds: beginsNs + seconds * S },
        px: 0,
        py: 0,
        vx: 0,
        vy: 0,
      })),
    },
  });

  it('forwards the plan of a vehicle that stands before it begins, and of one that moves from now on', () => {
    const firstNs = bench.start();
    const beginsNs = firstNs + 2n * S;
    let tNowNs = firstNs;
    for (let period = 0; period < 40; period++) {
      expect(kinds(bench.command(plan(tNowNs, beginsNs)))).toEqual(['forwardCommand', 'replied']);
      tNowNs = bench.nextStart();
    }
    expect(tNowNs).toBe(beginsNs);
    expect(kinds(bench.command(plan(tNowNs, tNowNs + S + 1n)))).toContain('refuseCommand');
    expect(kinds(bench.command(plan(tNowNs, tNowNs + S)))).toEqual(['forwardCommand', 'replied']);
  });

  it('forwards a command, once, and counts the first as the reply', () => {
    const tNowNs = bench.start();
    bench.clocks.monotonicNs += 3n * MS;
    const command = speedCommand(1, tNowNs);
    expect(bench.command(command)).toEqual([
      { kind: 'forwardCommand', command },
      { kind: 'replied', id: 1, tNowNs, replyTimeNs: 3n * MS },
    ]);
    expect(kinds(bench.command(command))).toEqual(['refuseCommand']);
    expect(kinds(bench.command(speedCommand(1, tNowNs + MS)))).toEqual(['forwardCommand']);
  });

  it('reports misses when the period is over, not before, and counts them in a row', () => {
    const first = bench.start();
    bench.command(speedCommand(2, first));
    expect(only(bench.run(50n * MS), 'missed')).toEqual([]);
    expect(bench.run(MS)).toEqual([
      { kind: 'missed', tNowNs: first, misses: [{ id: 1, consecutive: 1 }] },
      { kind: 'controllerChanged', id: 1, from: 'working', to: 'late', latched: false },
    ]);
    expect(only(bench.run(50n * MS), 'missed')[0]?.misses).toEqual([
      { id: 1, consecutive: 2 },
      { id: 2, consecutive: 1 },
    ]);
  });

  it('makes no false miss of a reply received in time and handed over late', () => {
    const first = bench.start();
    bench.command(speedCommand(2, first));
    const receivedAtNs = bench.clocks.monotonicNs + 49n * MS;
    bench.nextStart();
    expect(kinds(bench.command(speedCommand(1, first), receivedAtNs))).toEqual([
      'forwardCommand',
      'replied',
    ]);
    expect(only(bench.run(MS), 'missed')).toEqual([]);
  });

  it('reports the misses of a period late when it was stalled, but before the next', () => {
    const first = bench.start();
    const second = bench.nextStart();
    bench.clocks.monotonicNs += 51n * MS;
    const effects = bench.wake();
    expect(only(effects, 'missed').map(({ tNowNs }) => tNowNs)).toEqual([first]);
    expect(only(bench.run(MS), 'missed').map(({ tNowNs }) => tNowNs)).toEqual([second]);
  });

  it('does not let one stamp far in the future make all later commands look old', () => {
    const policies = { ...defaultCommandRules.policies, createdInFuture: 'flag' } as const;
    bench = new RealTimeBench({ rules: { ...defaultCommandRules, policies } });
    const first = bench.start();
    expect(kinds(bench.command(speedCommand(1, first + S)))).toContain('flagCommand');
    expect(kinds(bench.command(speedCommand(1, first + 1n)))).toEqual(['forwardCommand']);
  });

  it('does not count the answer to an older start signal as a reply', () => {
    const first = bench.start();
    bench.nextStart();
    bench.run(2n * MS);
    const effects = bench.command(speedCommand(1, first));
    expect(kinds(effects)).toEqual(['refuseCommand', 'lateReply']);
    expect(only(effects, 'refuseCommand')[0]?.code).toBe('HLC_COMMAND_CREATED_BEFORE_PERIOD');
    expect(bench.session.controllers()[0]).toMatchObject({
      id: 1,
      state: 'late',
      replies: 0,
      misses: 1,
      lateReplies: 1,
    });
  });

  it('forwards first and only flags with the rules of the CPM Lab', () => {
    bench = new RealTimeBench({ rules: cpmLabCommandRules });
    bench.start();
    expect(kinds(bench.command(speedCommand(1, 5n)))).toEqual([
      'forwardCommand',
      'flagCommand',
      'replied',
    ]);
    expect(kinds(bench.command(speedCommand(200, 5n)))).toEqual(['forwardCommand', 'flagCommand']);
  });

  it('flags nothing with the rules of the CPM Lab that the CPM Lab middleware does not', () => {
    bench = new RealTimeBench({ rules: cpmLabCommandRules });
    expect(kinds(bench.command(speedCommand(1, 5n)))).toEqual(['forwardCommand']);
    const first = bench.start();
    bench.command(speedCommand(1, first));
    // The same again, with a number that is none, and far ahead.
    const { header } = speedCommand(1, first).message;
    const message = { vehicle_id: 1, header, speed: Infinity, curvature: NaN };
    const again = bench.command({ kind: 'speedCurvature', message });
    expect(kinds(again)).toEqual(['forwardCommand']);
  });

  it('skips whole periods after a stall, counts them, and goes on on the grid', () => {
    const first = bench.start();
    bench.clocks.monotonicNs += 205n * MS + 25n * MS;
    const effects = bench.wake();
    expect(only(effects, 'startSignalSent')).toEqual([]);
    expect(only(effects, 'periodsSkipped')).toEqual([{ kind: 'periodsSkipped', count: 4 }]);
    expect(bench.nextStart()).toBe(first + 250n * MS);
    expect(only(bench.run(MS), 'missed').map(({ tNowNs }) => tNowNs)).toEqual([first]);
  });

  it('keeps the rhythm when the wall clock steps back, and forgets old stamps', () => {
    const first = bench.start();
    bench.command(speedCommand(1, first));
    bench.command(speedCommand(2, first));
    bench.state(1, first - 60n * MS, 'before');
    bench.clocks.aheadNs -= 3600n * S;
    const second = bench.nextStart();
    expect(second).toBe(first + 50n * MS - 3600n * S);
    expect(only(bench.log, 'startSignalSent').at(-1)?.states[0]).toMatchObject({
      payload: 'before',
      ageNs: 110n * MS,
    });
    expect(only(bench.log, 'clockStepped')).toEqual([{ kind: 'clockStepped', stepNs: -3600n * S }]);
    expect(kinds(bench.command(speedCommand(1, second)))).toEqual(['forwardCommand', 'replied']);
    bench.state(1, second - 60n * MS, 'after');
    bench.nextStart();
    const [entry] = only(bench.log, 'startSignalSent').at(-1)?.states ?? [];
    expect(entry).toMatchObject({ payload: 'after', ageNs: 110n * MS });
  });

  it('ends when the last wanted period has had its full length', () => {
    bench = new RealTimeBench({ periods: 2 });
    bench.start();
    const last = bench.nextStart();
    bench.clocks.monotonicNs += 49n * MS;
    expect(kinds(bench.command(speedCommand(1, last)))).toContain('replied');
    const effects = bench.run(3n * S);
    expect(only(effects, 'startSignalSent')).toEqual([]);
    expect(only(effects, 'missed').at(-1)).toEqual({
      kind: 'missed',
      tNowNs: last,
      misses: [{ id: 2, consecutive: 2 }],
    });
    expect(effects.at(-1)).toEqual(endedBy('periodsDone')[1]);
    expect(bench.session.startSignals).toBe(2);
    expect(bench.session.wakeAtNs).toBeNull();
  });

  it('refuses the commands of a dead controller until it has rejoined', () => {
    const first = bench.start();
    expect(bench.lost(1)).toEqual([
      { kind: 'controllerChanged', id: 1, from: 'working', to: 'dead', latched: false },
    ]);
    const [refusal] = only(bench.command(speedCommand(1, first)), 'refuseCommand');
    expect(refusal?.code).toBe('HLC_COMMAND_NOT_TAKING_PART');
    expect(bench.ready(1)).toEqual([
      { kind: 'controllerChanged', id: 1, from: 'dead', to: 'rejoining', latched: false },
    ]);
    const second = bench.nextStart();
    expect(kinds(bench.command(speedCommand(1, second)))).toEqual(['forwardCommand', 'replied']);
  });
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
    const late = bench.handle({ kind: 'startSent', plan: prepared.plan, index, tNowNs, now });
    expect(only(late, 'startSignalSent')).toMatchObject([{ tNowNs, standIn: true }]);
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
