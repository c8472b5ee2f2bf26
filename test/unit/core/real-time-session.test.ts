import { beforeEach, describe, expect, it } from 'vitest';
import { cpmLabCommandRules, defaultCommandRules, type Command } from '../../../src/core/index.js';
import { RealTimeBench } from './real-time-bench.js';
import { base, endedBy, kinds, MS, only, S, speedCommand } from './support.js';

let bench: RealTimeBench;
beforeEach(() => {
  bench = new RealTimeBench();
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
    expect(only(bench.log, 'startSignalSent')).toHaveLength(2);
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
