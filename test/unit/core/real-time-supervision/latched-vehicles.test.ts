import { describe, expect, it } from 'vitest';
import { type Command, type SupervisionRule } from '../../../../src/core/index.js';
import { RealTimeBench } from '../real-time-bench.js';
import { loggedOnly, MS, only, S, speedCommand, stops } from '../support.js';
import { kindsOfStops, report, stopCommands } from './supervised-bench.js';

describe('a run that begins with a latched controller', () => {
  const latched = (
    resume: SupervisionRule['resume'],
    changes: ConstructorParameters<typeof RealTimeBench>[0] = {},
    sent: readonly Command['kind'][] = ['pathTracking'],
  ) => {
    const rule: SupervisionRule = {
      policy: 'stop',
      missLimit: 3,
      stopAfterNs: null,
      graceNs: 0n,
      holdPeriods: 1,
      resume,
    };
    const supervision = {
      ruleOf: () => rule,
      stops,
      latched: [{ id: 2, kinds: sent }],
    };
    return new RealTimeBench({ supervision, ...changes });
  };

  it('stops its vehicle once more, which may still move', () => {
    const bench = latched('manual', {}, ['trajectory', 'pathTracking']);
    bench.run(100n * MS);
    // Without a place, a trajectory would be a way to somewhere.
    expect(new Set(kindsOfStops(bench))).toEqual(new Set(['pathTracking']));
    bench.state(2, bench.clocks.realtimeNs, '', 1.1);
    bench.run(100n * MS);
    // All poses are of one place: the vehicle may not be localised.
    expect(new Set(kindsOfStops(bench))).toEqual(new Set(['pathTracking']));
    bench.state(2, bench.clocks.realtimeNs, '', 1.1, 0.11);
    bench.run(100n * MS);
    expect(new Set(kindsOfStops(bench))).toEqual(new Set(['pathTracking', 'trajectory']));
    for (const { command } of stopCommands(bench)) {
      if (command.kind !== 'pathTracking') continue;
      expect(command.message.speed).toBe(0);
      expect(command.message.path.length).toBeGreaterThan(1);
    }
    expect(report(bench)?.stopping).toBe(true);
  });

  it('forwards nothing to its vehicle until a resume', () => {
    const bench = latched('manual');
    bench.command(speedCommand(2, bench.start()));
    expect(only(bench.log, 'forwardCommand')).toEqual([]);
    expect(report(bench)).toMatchObject({ state: 'rejoining', latched: true });
    bench.resume([2]);
    bench.command(speedCommand(2, bench.nextStart()));
    expect(only(bench.log, 'forwardCommand')).toHaveLength(1);
  });

  it.each(['trigger', 'manual'] as const)(
    'resumes it by the trigger of the start: %s',
    (resume) => {
      for (const when of ['before', 'after'] as const) {
        const bench = latched(resume, { waitForStart: true });
        const startNs = bench.clocks.realtimeNs + 1n;
        if (when === 'before') bench.trigger(startNs);
        bench.ready(1);
        bench.ready(2);
        if (when === 'after') bench.trigger(startNs);
        expect(report(bench)?.latched).toBe(resume === 'manual');
      }
    },
  );

  it.each([true, false])(
    'is not resumed by the trigger of an earlier run that the lab repeats, wait for start: %s',
    (waitForStart) => {
      const bench = latched('trigger', { waitForStart });
      const earlierNs = bench.clocks.realtimeNs - S;
      bench.ready(1);
      bench.ready(2);
      bench.trigger(earlierNs);
      bench.run(100n * MS);
      bench.trigger(earlierNs);
      expect(bench.session.phase).toBe('running');
      expect(report(bench)?.latched).toBe(true);
      bench.trigger(bench.clocks.realtimeNs);
      expect(report(bench)?.latched).toBe(false);
    },
  );
});

describe('a vehicle that an earlier run stopped', () => {
  const latched = [7].map((id) => ({ id, kinds: ['speedCurvature'] as const }));

  it('is stopped also without a controller in this run', () => {
    const bench = new RealTimeBench({ supervision: { ...loggedOnly, latched } });
    bench.run(S);
    expect(stopCommands(bench).map(({ id }) => id)).toContain(7);
  });

  it('waits for a resume when its controller is admitted', () => {
    const ruleOf = () => ({ ...loggedOnly.ruleOf(7), resume: 'manual' as const });
    const bench = new RealTimeBench({
      admit: 'any',
      supervision: { ...loggedOnly, ruleOf, latched },
    });
    bench.ready(7);
    expect(report(bench, 7)).toMatchObject({ state: 'rejoining', latched: true });
  });
});
