import { describe, expect, it } from 'vitest';
import {
  cpmLabCommandRules,
  defaultCommandRules,
  policyForAll,
  type SupervisionRule,
} from '../../../../src/core/index.js';
import { pathCommand, pathSpeedOf } from '../guard/guard-bench.js';
import { RealTimeBench } from '../real-time-bench.js';
import { MS, only, S, speedCommand, stops } from '../support.js';
import { kindsOfStops, P, report, silent, stopCommands, supervised } from './supervised-bench.js';

describe('where commands are forwarded that fail a check', () => {
  it('a vehicle is stopped with all kinds of commands that it may obey', () => {
    const bench = supervised({}, { rules: cpmLabCommandRules });
    const first = bench.start();
    bench.command(speedCommand(2, first));
    const header = speedCommand(2, first).message.header;
    const broken = { vehicle_id: 2, header, trajectory_points: [] };
    bench.command({ kind: 'trajectory', message: broken });
    bench.state(2, bench.clocks.realtimeNs, '');
    bench.lost(2);
    expect(kindsOfStops(bench)).toEqual(['speedCurvature', 'trajectory']);
  });

  it('a vehicle is stopped at each time from which a command holds', () => {
    const rules = { ...cpmLabCommandRules };
    const bench = supervised({}, { rules });
    const first = bench.start();
    for (const aheadNs of [0n, 100n * MS, 200n * MS, 300n * MS]) {
      const command = speedCommand(2, first);
      const valid_after_stamp = { nanoseconds: first + aheadNs };
      const header = { ...command.message.header, valid_after_stamp };
      bench.command({ kind: 'speedCurvature', message: { ...command.message, header } });
    }
    bench.lost(2);
    const times = stopCommands(bench).map(
      ({ command: { message } }) => message.header.valid_after_stamp.nanoseconds - first,
    );
    expect(times.slice(0, 3)).toEqual([300n * MS + 1n, 200n * MS + 1n, 100n * MS + 1n]);
    expect(times[3]).toBeLessThan(100n * MS);
  });

  it('a second process does not end the stop of a vehicle', () => {
    const bench = silent({ resume: 'auto' }, { rules: cpmLabCommandRules });
    bench.lost(2);
    bench.ready(2, 12);
    const next = bench.nextStart();
    expect(report(bench)?.stopping).toBe(true);
    bench.command(speedCommand(2, next), undefined, 13);
    expect(report(bench)?.stopping).toBe(true);
    bench.command(speedCommand(2, next), undefined, 12);
    expect(report(bench)?.stopping).toBe(false);
  });
});

describe('a vehicle of no controller whose commands pass', () => {
  const flagged = { ...defaultCommandRules, policies: policyForAll('flag') };
  const strayed = (
    rule: Partial<SupervisionRule> = {},
    changes: ConstructorParameters<typeof RealTimeBench>[0] = {},
  ) => {
    const stray = { policy: 'stop', missLimit: 3, graceNs: 0n, holdPeriods: 2 } as const;
    const ruleOf = () => ({ ...stray, stopAfterNs: 200n * MS, resume: 'auto' as const, ...rule });
    const supervision = { ruleOf, stops, latched: [] };
    const bench = new RealTimeBench({ supervision, rules: flagged, ...changes });
    bench.command(speedCommand(7, bench.start()));
    return bench;
  };

  it('is stopped when they cease to come, and latched, whatever the policy of resume is', () => {
    const bench = strayed();
    for (let i = 0; i < 6; i++) {
      bench.run(50n * MS);
      bench.command(speedCommand(7, bench.clocks.realtimeNs));
    }
    expect(only(bench.log, 'safeStop')).toEqual([]);
    bench.run(250n * MS);
    const stopped = { kind: 'safeStop', id: 7, cause: 'silent', latched: true };
    expect(only(bench.log, 'safeStop')).toContainEqual(stopped);
    expect(stopCommands(bench).some(({ id }) => id === 7)).toBe(true);
    const [refused] = bench.command(speedCommand(7, bench.clocks.realtimeNs));
    expect(refused).toMatchObject({ kind: 'refuseCommand', code: 'HLC_COMMAND_UNKNOWN_VEHICLE' });
    bench.handle({ kind: 'resume', ids: [7], atNs: bench.clocks.monotonicNs });
    const [passed] = bench.command(speedCommand(7, bench.clocks.realtimeNs));
    expect(passed).toMatchObject({ kind: 'forwardCommand' });
  });

  it('is resumed with the others in the order of their ids', () => {
    const bench = strayed();
    bench.command(speedCommand(5, bench.clocks.realtimeNs));
    bench.run(250n * MS);
    expect(only(bench.resume(), 'resumed').map(({ id }) => id)).toEqual([5, 7]);
  });

  it('is stopped when the same command comes again and again', () => {
    const bench = strayed();
    const command = speedCommand(7, bench.clocks.realtimeNs);
    const repeat = () => {
      for (let i = 0; i < 8; i++) {
        bench.run(50n * MS);
        bench.command(command);
      }
    };
    repeat();
    expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 7, cause: 'silent' }]);
    bench.resume([7]);
    repeat();
    expect(only(bench.log, 'safeStop')).toHaveLength(2);
  });

  it('stands although it was resumed while it braked, until its next command', () => {
    const bench = strayed();
    const driven = pathCommand(bench.clocks.realtimeNs, 2);
    if (driven.kind !== 'pathTracking') throw new TypeError('no path');
    bench.command({ kind: driven.kind, message: { ...driven.message, vehicle_id: 7 } });
    bench.run(250n * MS);
    const speeds = () =>
      stopCommands(bench).flatMap(({ command }) =>
        command.kind === driven.kind ? [pathSpeedOf(command)] : [],
      );
    expect(speeds().at(-1)).toBeGreaterThan(0.5);
    bench.resume([7]);
    bench.run(2n * S);
    expect(speeds().at(-1)).toBe(0);
    const [passed] = bench.command(speedCommand(7, bench.clocks.realtimeNs));
    expect(passed).toMatchObject({ kind: 'forwardCommand' });
    const sent = stopCommands(bench).length;
    bench.run(100n * MS);
    expect(stopCommands(bench)).toHaveLength(sent);
  });

  it.each([
    ['manual', true],
    ['trigger', true],
    ['auto', false],
  ] as const)('stays latched when its controller is admitted: resume %s', (resume, latched) => {
    const bench = strayed({ resume }, { admit: 'any' });
    bench.run(250n * MS);
    bench.ready(7);
    expect(report(bench, 7)).toMatchObject({ state: 'rejoining', latched });
    const next = bench.nextStart();
    const [effect] = bench.command(speedCommand(7, next));
    expect(effect).toMatchObject({ kind: latched ? 'refuseCommand' : 'forwardCommand' });
    bench.resume([7]);
    const [passed] = bench.command(speedCommand(7, bench.nextStart()));
    expect(passed).toMatchObject({ kind: 'forwardCommand' });
  });

  it('is not latched again when its controller is admitted after a resume', () => {
    const bench = strayed({ resume: 'manual' }, { admit: 'any' });
    bench.run(250n * MS);
    bench.resume([7]);
    bench.ready(7);
    expect(report(bench, 7)).toMatchObject({ latched: false });
  });

  it('is stopped when its controller is admitted, and no command comes from then on', () => {
    const bench = strayed({ resume: 'manual' }, { admit: 'any' });
    bench.run(100n * MS);
    expect(stopCommands(bench)).toEqual([]);
    bench.ready(7);
    bench.run(S);
    expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 7, latched: true }]);
    expect(stopCommands(bench).length).toBeGreaterThan(0);
  });

  it('is known to a guard, and stopped after a stall', () => {
    const bench = strayed();
    const sent = bench.session.sentCommands().find(({ id }) => id === 7);
    expect(sent?.kinds).toEqual(['speedCurvature']);
    const atNs = bench.clocks.monotonicNs;
    bench.handle({ kind: 'vehiclesStopped', cause: 'stalled', ids: 'all', sent: [], atNs });
    expect(only(bench.log, 'safeStop').map(({ id }) => id)).toContain(7);
  });

  it('is not stopped where misses are only logged', () => {
    const bench = strayed({ policy: 'log' });
    bench.run(2n * S);
    expect(only(bench.log, 'safeStop')).toEqual([]);
  });
});

describe('a controller that commands its vehicle before the first start signal', () => {
  const rules = { ...defaultCommandRules, policies: policyForAll('flag') };
  /** Controller 2 commands each 40 ms until now; controller 1 is not there. */
  const early = (rule: Partial<SupervisionRule> = {}, signsIn = true) => {
    const bench = supervised({ stopAfterNs: 200n * MS, ...rule }, { rules });
    if (signsIn) bench.ready(2);
    for (let i = 0; i < 30; i++) {
      bench.run(40n * MS);
      bench.command(speedCommand(2, bench.clocks.realtimeNs));
      bench.state(2, bench.clocks.realtimeNs, '', 1);
    }
    return bench;
  };

  it.each([true, false])(
    'drives it, and is stopped when it is silent; signed in: %s',
    (signsIn) => {
      const bench = early({}, signsIn);
      expect(only(bench.log, 'safeStop')).toEqual([]);
      expect(only(bench.run(190n * MS), 'safeStop')).toEqual([]);
      const stopped = only(bench.run(15n * MS), 'safeStop');
      expect(stopped).toEqual([{ kind: 'safeStop', id: 2, cause: 'silent', latched: true }]);
      expect(kindsOfStops(bench)).toContain('speedCurvature');
      bench.command(speedCommand(2, bench.clocks.realtimeNs));
      expect(bench.log.at(-1)?.kind).toBe('refuseCommand');
    },
  );

  it('is stopped as well when the run begins meanwhile, and it does not reply', () => {
    const bench = early();
    bench.run(150n * MS);
    bench.ready(1);
    bench.nextStart();
    const stopped = only(bench.run(200n * MS), 'safeStop');
    expect(stopped).toMatchObject([{ id: 2, latched: true }]);
  });

  it('is stopped when it ceases to reply later on', () => {
    const bench = early();
    bench.ready(1);
    for (let i = 0; i < 4; i++) {
      bench.command(speedCommand(2, bench.nextStart()));
      expect(only(bench.log, 'safeStop')).toEqual([]);
    }
    expect(only(bench.run(250n * MS), 'safeStop')).toMatchObject([{ id: 2, latched: true }]);
  });

  it('is not stopped where misses are only logged', () => {
    const bench = early({ policy: 'log' });
    expect(only(bench.run(S), 'safeStop')).toEqual([]);
  });
});

describe('where every command in a period is a reply', () => {
  /** The same command in each period. */
  const repeating = (rules: typeof cpmLabCommandRules) => {
    const bench = supervised({ stopAfterNs: 4n * P }, { rules });
    const first = bench.start();
    for (let i = 0; i < 8; i++) {
      bench.command(speedCommand(2, first));
      bench.run(P);
    }
    return bench;
  };

  it('a vehicle is stopped that gets the same command again and again', () => {
    const bench = repeating(cpmLabCommandRules);
    expect(report(bench)?.misses).toBe(0);
    expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 2, cause: 'silent' }]);
  });

  it('a vehicle is stopped that gets a command of a clock that is ahead again and again', () => {
    const rules = { ...cpmLabCommandRules, policies: policyForAll('flag') };
    const bench = supervised({ stopAfterNs: 4n * P }, { rules });
    const aheadNs = bench.start() + 600n * S;
    for (let i = 0; i < 8; i++) {
      bench.command(speedCommand(2, aheadNs));
      bench.run(P);
    }
    expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 2, cause: 'silent' }]);
  });

  it('a vehicle is stopped whose commands are refused', () => {
    const bench = repeating({ ...cpmLabCommandRules, policies: policyForAll('reject') });
    expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 2, cause: 'silent' }]);
  });

  it.each([false, true])(
    'a vehicle drives on with newer commands; an old one before: %s',
    (old) => {
      const bench = supervised({ stopAfterNs: 4n * P }, { rules: cpmLabCommandRules });
      const first = bench.start();
      for (let i = 0; i < 8; i++) {
        if (old) bench.command(speedCommand(2, first));
        bench.command(speedCommand(2, bench.clocks.realtimeNs + 1n));
        bench.run(P);
      }
      expect(only(bench.log, 'safeStop')).toEqual([]);
    },
  );
});
