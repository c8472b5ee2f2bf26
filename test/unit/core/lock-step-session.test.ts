import { describe, expect, it } from 'vitest';
import {
  cpmLabCommandRules,
  type LockStepConfig,
  type ReplyTimeoutRule,
  stopSymbol,
} from '../../../src/core/index.js';
import { LockStepBench, stepTime } from './lock-step-bench.js';
import { endedBy, kinds, MS, only, S, speedCommand, writerOf } from './support.js';

/** A session of its own time source, in its first step. */
function working(changes: Partial<LockStepConfig> = {}): LockStepBench {
  const bench = new LockStepBench(changes);
  bench.ready(1, 2);
  expect(bench.times).toEqual([stepTime(0)]);
  return bench;
}

const timeout = (policy: ReplyTimeoutRule['policy']) => ({
  replyTimeout: { afterNs: 300n * MS, policy },
});

describe('a lock-step session that is its own time source', () => {
  it('begins with the offset when all controllers are ready', () => {
    const bench = new LockStepBench();
    bench.ready(2);
    expect(bench.times).toEqual([]);
    expect(kinds(bench.ready(1))).toEqual(['controllerReady', 'allReady', 'sendStartSignal']);
    expect(bench.times).toEqual([stepTime(0)]);
  });

  it('names the missing controllers every 2 s before all are ready', () => {
    const bench = new LockStepBench();
    bench.ready(2);
    expect(bench.run(2n * S)).toEqual([
      { kind: 'controllersMissing', ids: [1], awaited: 'readySignal', waitedNs: 2n * S },
    ]);
  });

  it('ends when not all are ready after the time-out, naming the missing once more', () => {
    const bench = new LockStepBench({ readyTimeoutNs: 3n * S });
    bench.ready(2);
    expect(only(bench.run(3n * S - 1n), 'ended')).toEqual([]);
    expect(bench.run(1n)).toEqual([
      { kind: 'controllersMissing', ids: [1], awaited: 'readySignal', waitedNs: 3n * S },
      ...endedBy('readyTimeout'),
    ]);
  });

  it('ends a step with the event of the last reply', () => {
    const bench = working();
    expect(kinds(bench.reply(2, stepTime(0)))).toEqual(['forwardCommand', 'replied']);
    expect(kinds(bench.reply(1, stepTime(0)))).toEqual([
      'forwardCommand',
      'replied',
      'sendStartSignal',
    ]);
    expect(bench.times).toEqual([stepTime(0), stepTime(1)]);
  });

  it('counts a reply only for the step that it answers', () => {
    const bench = working();
    bench.reply(1, stepTime(0));
    bench.reply(2, stepTime(0));
    bench.reply(1, stepTime(1));
    const [refusal] = only(bench.reply(2, stepTime(0)), 'refuseCommand');
    expect(refusal?.code).toBe('HLC_COMMAND_CREATED_BEFORE_PERIOD');
    const [future] = only(bench.reply(2, stepTime(1) + 1n), 'refuseCommand');
    expect(future?.code).toBe('HLC_COMMAND_CREATED_IN_FUTURE');
    expect(bench.times).toHaveLength(2);
  });

  it('takes any command as the reply with the rules of the CPM Lab', () => {
    const bench = working({ rules: cpmLabCommandRules });
    bench.reply(1, 0n);
    bench.reply(2, 10n ** 18n);
    expect(bench.times).toHaveLength(2);
  });

  it('does not take two replies of one controller for those of two', () => {
    const bench = working();
    bench.reply(1, stepTime(0));
    bench.reply(1, stepTime(0));
    expect(bench.times).toHaveLength(1);
  });

  it('waits for ever by default, and names the missing once a second', () => {
    const bench = working();
    bench.reply(1, stepTime(0));
    const effects = bench.run(3n * S);
    expect(effects).toEqual([
      { kind: 'controllersMissing', ids: [2], awaited: 'reply', waitedNs: S },
      { kind: 'controllersMissing', ids: [2], awaited: 'reply', waitedNs: 2n * S },
      { kind: 'controllersMissing', ids: [2], awaited: 'reply', waitedNs: 3n * S },
    ]);
    bench.reply(2, stepTime(0));
    expect(bench.times).toHaveLength(2);
  });

  it('lists the states that are valid at the simulated time', () => {
    const bench = new LockStepBench();
    const put = (createStampNs: bigint, payload: string) =>
      bench.handle({
        kind: 'vehicleState',
        sample: {
          vehicleId: 1,
          createStampNs,
          validAfterNs: createStampNs + 60n * MS,
          payload,
        },
        motion: { speedMps: 0, pose: { x: 0, y: 0, yaw: 0 }, createStampNs },
        receivedAtNs: bench.nowNs,
      });
    put(40n * MS, 'a');
    put(60n * MS, 'b');
    put(80n * MS, 'not valid yet');
    bench.ready(1, 2);
    const [signal] = only(bench.log, 'sendStartSignal');
    expect(signal?.states).toEqual([
      { present: true, vehicleId: 1, createStampNs: 60n * MS, ageNs: 60n * MS, payload: 'b' },
    ]);
    expect(signal?.observations).toEqual([{ present: false, vehicleId: 1 }]);
  });

  it('ends after the last step that is not after its end', () => {
    const untilNs = stepTime(1) + 1n;
    const bench = working({ timeSource: { kind: 'self', realTimeFactor: null, untilNs } });
    for (const k of [0, 1]) for (const id of [1, 2]) bench.reply(id, stepTime(k));
    expect(bench.times).toEqual([stepTime(0), stepTime(1)]);
    expect(only(bench.log, 'ending')).toEqual(endedBy('untilReached').slice(0, 1));
    // Both vehicles were commanded, and send no states: they are stopped for a second.
    expect(bench.session.phase).toBe('stopping');
    expect(bench.run(2n * S).at(-1)).toEqual(endedBy('untilReached')[1]);
    expect(bench.session.phase).toBe('ended');
    expect(bench.reply(1, stepTime(1))).toEqual([]);
  });

  it('ends when the wanted number of steps is answered', () => {
    const bench = working({ periods: 1 });
    bench.reply(1, stepTime(0));
    expect(bench.session.phase).toBe('working');
    expect(kinds(bench.reply(2, stepTime(0)))).toContain('ending');
    expect(bench.run(2n * S).at(-1)).toEqual(endedBy('periodsDone')[1]);
  });

  it('runs no faster than the real-time factor allows', () => {
    const bench = working({ timeSource: { kind: 'self', realTimeFactor: 2, untilNs: null } });
    bench.nowNs += 10n * MS;
    bench.reply(1, stepTime(0));
    bench.reply(2, stepTime(0));
    expect(bench.session.phase).toBe('throttled');
    expect(bench.run(14n * MS)).toEqual([]);
    expect(kinds(bench.run(MS))).toEqual(['sendStartSignal']);
  });

  it('is paused by a user while it is throttled, and throttled again after that', () => {
    const bench = working({ timeSource: { kind: 'self', realTimeFactor: 2, untilNs: null } });
    bench.reply(1, stepTime(0));
    bench.reply(2, stepTime(0));
    const control = (kind: 'pause' | 'resume') =>
      bench.handle({ kind: 'stepControl', control: { kind }, atNs: bench.nowNs });
    control('pause');
    expect(bench.session.phase).toBe('paused');
    expect(bench.run(1000n * MS)).toEqual([]);
    expect(bench.session.phase).toBe('paused');
    bench.nowNs -= 1000n * MS;
    control('resume');
    expect(bench.session.phase).toBe('throttled');
  });

  it('is ended by the stop symbol and by the stop event, also in the middle of a step', () => {
    expect(working().trigger(stopSymbol)).toEqual([...endedBy('stopTrigger')]);
    expect(working().handle({ kind: 'stop', atNs: 0n })).toEqual([...endedBy('stopped')]);
  });
});

describe('a lock-step session whose time comes from the lab', () => {
  const inLab = { timeSource: { kind: 'lab' } } as const;

  it('signs in with the offset, every 2 s until a trigger came', () => {
    const bench = new LockStepBench(inLab);
    expect(bench.ready(1, 2).at(-1)).toEqual({ kind: 'signIn', nextStartNs: stepTime(0) });
    const missing = { kind: 'triggerMissing', wantedNs: stepTime(0) } as const;
    expect(bench.run(4n * S)).toEqual([
      { kind: 'signIn', nextStartNs: stepTime(0) },
      { ...missing, waitedNs: 2n * S },
      { kind: 'signIn', nextStartNs: stepTime(0) },
      { ...missing, waitedNs: 4n * S },
    ]);
    expect(bench.trigger(7n)).toEqual([]);
    expect(bench.run(2n * S)).toEqual([{ ...missing, waitedNs: 6n * S }]);
  });

  it('ends when the trigger for a step stays out for the time-out, whatever other triggers come', () => {
    const bench = new LockStepBench({ ...inLab, startTimeoutNs: 5n * S });
    bench.ready(1, 2);
    bench.run(4n * S);
    bench.trigger(stepTime(0));
    bench.run(20n * S);
    bench.reply(1, stepTime(0));
    bench.reply(2, stepTime(0));
    expect(bench.session.phase).toBe('waitingForTrigger');
    bench.run(4n * S);
    expect(bench.trigger(7n)).toEqual([]);
    expect(bench.run(S).slice(0, 2)).toEqual([
      { kind: 'triggerMissing', wantedNs: stepTime(1), waitedNs: 5n * S },
      ...endedBy('startTimeout').slice(0, 1),
    ]);
  });

  it('does not count the time of a pause as waiting for the trigger', () => {
    const bench = new LockStepBench({ ...inLab, startTimeoutNs: 5n * S });
    bench.ready(1, 2);
    bench.run(4n * S);
    bench.control({ kind: 'pause' });
    bench.run(60n * S);
    bench.control({ kind: 'resume' });
    expect(only(bench.run(5n * S - 1n), 'ended')).toEqual([]);
    expect(only(bench.run(1n), 'ended')).toEqual(endedBy('startTimeout').slice(1));
  });

  it('steps when the trigger names exactly the wanted time, and signs in for the next', () => {
    const bench = new LockStepBench(inLab);
    bench.ready(1, 2);
    expect(bench.trigger(stepTime(0) - 1n)).toEqual([]);
    expect(bench.trigger(stepTime(1))).toEqual([]);
    expect(kinds(bench.trigger(stepTime(0)))).toEqual(['sendStartSignal']);
    bench.reply(1, stepTime(0));
    expect(bench.reply(2, stepTime(0)).at(-1)).toEqual({
      kind: 'signIn',
      nextStartNs: stepTime(1),
    });
    expect(bench.session.phase).toBe('waitingForTrigger');
  });

  it('keeps the last trigger that came before its sign-in', () => {
    const bench = new LockStepBench(inLab);
    bench.trigger(stepTime(0));
    expect(kinds(bench.ready(1, 2))).toEqual([
      'controllerReady',
      'controllerReady',
      'allReady',
      'signIn',
      'sendStartSignal',
    ]);
  });

  it('is ended by the stop symbol in every phase', () => {
    const bench = new LockStepBench(inLab);
    bench.ready(1, 2);
    expect(kinds(bench.trigger(stopSymbol))).toEqual(['ending', 'ended']);
    expect(kinds(new LockStepBench(inLab).trigger(stopSymbol))).toEqual(['ending', 'ended']);
  });

  it('does not sign in while it is paused', () => {
    const bench = new LockStepBench(inLab);
    bench.control({ kind: 'pause' });
    expect(bench.ready(1, 2).at(-1)).toEqual({ kind: 'paused', nextNs: stepTime(0) });
    expect(bench.run(5n * S)).toEqual([]);
    expect(bench.control({ kind: 'resume' })).toEqual([
      { kind: 'signIn', nextStartNs: stepTime(0) },
    ]);
  });

  it('keeps a trigger that comes while it is paused, and signs in only once', () => {
    const bench = new LockStepBench(inLab);
    bench.ready(1, 2);
    bench.control({ kind: 'pause' });
    expect(only(bench.trigger(stepTime(0)), 'sendStartSignal')).toEqual([]);
    expect(kinds(bench.control({ kind: 'resume' }))).toEqual(['sendStartSignal']);
    expect(only(bench.log, 'signIn')).toHaveLength(1);
  });
});

describe('step control', () => {
  it('finishes the step under way, and begins no other until it is resumed', () => {
    const bench = working();
    expect(bench.control({ kind: 'pause' })).toEqual([]);
    bench.reply(1, stepTime(0));
    expect(bench.reply(2, stepTime(0)).at(-1)).toEqual({ kind: 'paused', nextNs: stepTime(1) });
    expect(bench.session.wakeAtNs).toBeNull();
    expect(kinds(bench.control({ kind: 'resume' }))).toEqual(['sendStartSignal']);
  });

  it('runs a number of steps', () => {
    const bench = new LockStepBench();
    bench.control({ kind: 'step', count: 2 });
    bench.ready(1, 2);
    for (const k of [0, 1]) for (const id of [1, 2]) bench.reply(id, stepTime(k));
    expect(bench.times).toEqual([stepTime(0), stepTime(1)]);
    expect(bench.log.at(-1)).toEqual({ kind: 'paused', nextNs: stepTime(2) });
    expect(kinds(bench.control({ kind: 'step', count: 1 }))).toEqual(['sendStartSignal']);
  });

  it('runs until a time', () => {
    const bench = new LockStepBench();
    bench.control({ kind: 'runUntil', tNs: stepTime(0) });
    bench.ready(1, 2);
    bench.reply(1, stepTime(0));
    expect(kinds(bench.reply(2, stepTime(0)))).toContain('paused');
    expect(kinds(bench.control({ kind: 'runUntil', tNs: stepTime(0) }))).toEqual(['paused']);
    expect(kinds(bench.control({ kind: 'runUntil', tNs: stepTime(5) }))).toEqual([
      'sendStartSignal',
    ]);
  });

  it('stops the clock of the reply time-out while it is paused', () => {
    const bench = working(timeout('halt'));
    bench.control({ kind: 'pause' });
    expect(bench.run(100n * S)).toEqual([]);
    bench.control({ kind: 'resume' });
    expect(bench.run(299n * MS)).toEqual([]);
    expect(kinds(bench.run(MS))).toEqual(['replyTimeout', 'ending', 'ended']);
  });
});

describe('a reply time-out', () => {
  it('is only reported with the policy wait', () => {
    const bench = working(timeout('wait'));
    bench.reply(1, stepTime(0));
    expect(bench.run(900n * MS)).toEqual([
      { kind: 'replyTimeout', tNowNs: stepTime(0), ids: [2] },
      { kind: 'controllerChanged', id: 2, from: 'working', to: 'late', latched: false },
    ]);
    expect(only(bench.reply(2, stepTime(0)), 'controllerChanged')).toEqual([
      { kind: 'controllerChanged', id: 2, from: 'late', to: 'ready', latched: false },
    ]);
    expect(bench.times).toHaveLength(2);
  });

  it('ends the session by the policy to halt', () => {
    const bench = working(timeout('halt'));
    expect(bench.run(S)).toEqual([
      { kind: 'replyTimeout', tNowNs: stepTime(0), ids: [1, 2] },
      ...endedBy('replyTimeout'),
    ]);
  });

  it('begins with the step, also when the last reply was read long after it came', () => {
    const bench = working(timeout('halt'));
    bench.reply(1, stepTime(0));
    const command = speedCommand(2, stepTime(0));
    const writer = writerOf(2, 'command');
    const receivedAtNs = bench.nowNs;
    bench.nowNs += 2n * S;
    const read = { kind: 'command', command, writer, receivedAtNs, atNs: bench.nowNs } as const;
    expect(kinds(bench.handle(read))).toContain('sendStartSignal');
    expect(bench.run(299n * MS)).toEqual([]);
    expect(kinds(bench.run(MS))).toContain('replyTimeout');
  });

  it('continues the step without the missing ones with the policy drop', () => {
    const bench = working(timeout('drop'));
    bench.reply(1, stepTime(0));
    expect(kinds(bench.run(300n * MS))).toEqual([
      'replyTimeout',
      'controllerChanged',
      'sendStartSignal',
    ]);
    const [refusal] = only(bench.reply(2, stepTime(1)), 'refuseCommand');
    expect(refusal?.code).toBe('HLC_COMMAND_NOT_TAKING_PART');
    bench.reply(1, stepTime(1));
    expect(bench.times).toHaveLength(3);
    // That answer showed that it is back, and the third step asks it again.
    const back = {
      kind: 'controllerChanged',
      id: 2,
      from: 'rejoining',
      to: 'working',
      latched: false,
    };
    expect(bench.log.at(-1)).toEqual(back);
    expect(bench.session.controllers()[1]).toMatchObject({ id: 2, state: 'working', misses: 1 });
  });

  it('stops time when all are dropped, until one rejoins', () => {
    const bench = working(timeout('drop'));
    bench.run(300n * MS);
    expect(bench.times).toHaveLength(1);
    bench.run(200n * MS);
    expect(kinds(bench.ready(2))).toEqual([
      'controllerChanged',
      'sendStartSignal',
      'controllerChanged',
    ]);
    bench.reply(2, stepTime(1));
    expect(bench.times).toHaveLength(3);
  });

  it('ends the session when all are dropped and none rejoins within the time-out', () => {
    const bench = working(timeout('drop'));
    bench.run(599n * MS);
    expect(only(bench.log, 'ended')).toEqual([]);
    bench.run(MS);
    expect(only(bench.log, 'ended')).toEqual(endedBy('replyTimeout').slice(1));
  });
});

describe('a controller whose process is gone', () => {
  it('is no longer waited for by the policy to drop', () => {
    const bench = working(timeout('drop'));
    bench.reply(1, stepTime(0));
    expect(kinds(bench.lost(2))).toEqual(['controllerChanged', 'sendStartSignal']);
  });

  it('is waited for by every other policy, until it rejoins with the next step', () => {
    const bench = working();
    bench.reply(1, stepTime(0));
    expect(kinds(bench.lost(2))).toEqual(['controllerChanged']);
    expect(only(bench.run(S), 'controllersMissing')[0]?.ids).toEqual([2]);
    expect(kinds(bench.ready(2))).toEqual([
      'controllerChanged',
      'sendStartSignal',
      'controllerChanged',
    ]);
    bench.reply(1, stepTime(1));
    expect(bench.times).toHaveLength(2);
    bench.reply(2, stepTime(1));
    expect(bench.times).toHaveLength(3);
  });

  it('is waited for when it went between two steps, too', () => {
    const bench = working();
    bench.control({ kind: 'pause' });
    bench.reply(1, stepTime(0));
    bench.reply(2, stepTime(0));
    bench.lost(2);
    bench.control({ kind: 'resume' });
    bench.reply(1, stepTime(1));
    expect(bench.times).toHaveLength(2);
  });
});
