import { describe, expect, it } from 'vitest';
import { cpmLabCommandRules } from '../../../../src/core/index.js';
import { kinds, MS, only, speedCommand, writerOf } from '../support.js';
import { P, report, silent, supervised } from './supervised-bench.js';

describe('a second process with the id of a controller', () => {
  it('is refused and named once; what it says does not count', () => {
    const bench = supervised();
    const first = bench.start();
    expect(bench.ready(2, 12)).toEqual([
      { kind: 'secondController', id: 2, writer: writerOf(12), owner: writerOf(2).slice(0, 24) },
    ]);
    expect(bench.ready(2, 12)).toEqual([]);
    const effects = bench.command(speedCommand(2, first), undefined, 12);
    expect(kinds(effects)).toEqual(['refuseCommand']);
    expect(only(effects, 'refuseCommand')[0]?.code).toBe('HLC_COMMAND_OTHER_WRITER');
    expect(report(bench)?.replies).toBe(0);
    bench.command(speedCommand(2, first));
    expect(report(bench)?.replies).toBe(1);
  });

  it('does not count as a reply, either, where such commands are forwarded', () => {
    const bench = supervised({}, { rules: cpmLabCommandRules });
    const first = bench.start();
    const effects = bench.command(speedCommand(2, first), undefined, 12);
    expect(kinds(effects)).toEqual(['forwardCommand', 'secondController']);
    expect(report(bench)?.replies).toBe(0);
  });

  it('takes its place when the first one is dead', () => {
    const bench = silent();
    bench.ready(2, 12);
    bench.run(5n * P);
    expect(only(bench.log, 'safeStop')).toHaveLength(1);
    expect(report(bench)?.state).toBe('rejoining');
    bench.resume();
    const next = bench.nextStart();
    expect(kinds(bench.command(speedCommand(2, next), undefined, 12))).toContain('replied');
    // The first one wakes up, and is the second one now.
    const late = only(bench.command(speedCommand(2, next + MS)), 'refuseCommand');
    expect(late.map(({ code }) => code)).toEqual(['HLC_COMMAND_OTHER_WRITER']);
  });
});

describe('a controller that the middleware did not wait for', () => {
  it('is admitted with the next start signal, and its vehicle is listed', () => {
    const bench = supervised({}, { admit: 'any', listAdmitted: true });
    const first = bench.start();
    expect(bench.ready(9)).toEqual([{ kind: 'controllerReady', id: 9, admitted: true }]);
    const [refusal] = only(bench.command(speedCommand(9, first)), 'refuseCommand');
    expect(refusal?.code).toBe('HLC_COMMAND_NOT_TAKING_PART');
    const next = bench.nextStart();
    const signal = only(bench.log, 'startSignalSent').at(-1);
    expect(signal?.activeVehicleIds).toEqual([1, 2, 7, 9]);
    expect(signal?.states.map(({ vehicleId }) => vehicleId)).toEqual([1, 2, 7, 9]);
    expect(kinds(bench.command(speedCommand(9, next)))).toEqual(['forwardCommand', 'replied']);
  });

  it('is not waited for when it is gone before the run has started', () => {
    for (const waitForStart of [false, true]) {
      const bench = supervised({}, { admit: 'any', waitForStart });
      bench.ready(9);
      bench.lost(9);
      bench.ready(1);
      bench.ready(2);
      bench.ready(8);
      bench.lost(8);
      if (waitForStart) bench.trigger(bench.clocks.realtimeNs + P);
      bench.nextStart();
      expect(only(bench.log, 'startSignalSent')).toHaveLength(1);
    }
  });

  it('is not admitted unless that is wanted, and never with a wrong name', () => {
    const bench = supervised();
    bench.start();
    expect(kinds(bench.ready(9))).toEqual(['unknownController']);
    const open = supervised({}, { admit: 'any' });
    open.start();
    const atNs = open.clocks.monotonicNs;
    const signal = { kind: 'readySignal', sourceId: 'hlc_256', writer: null } as const;
    expect(kinds(open.handle({ ...signal, receivedAtNs: atNs }))).toEqual(['unknownController']);
    expect(open.session.controllers()).toHaveLength(2);
  });
});
