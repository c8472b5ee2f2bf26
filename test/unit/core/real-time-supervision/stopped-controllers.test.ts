import { describe, expect, it } from 'vitest';
import { stopSymbol } from '../../../../src/core/index.js';
import { endedBy, kinds, only, S, speedCommand } from '../support.js';
import { P, report, silent, stopCommands, supervised } from './supervised-bench.js';

describe('a stopped controller', () => {
  it('that signs in again waits for a resume and the next start signal', () => {
    const bench = silent();
    bench.lost(2);
    bench.ready(2, 12);
    expect(report(bench)?.state).toBe('rejoining');
    const tNowNs = bench.nextStart();
    const [refusal] = only(bench.command(speedCommand(2, tNowNs), undefined, 12), 'refuseCommand');
    expect(refusal?.code).toBe('HLC_COMMAND_NOT_TAKING_PART');
    expect(kinds(bench.resume())).toEqual(['resumed']);
    expect(report(bench)).toMatchObject({ state: 'rejoining', latched: false });
    const next = bench.nextStart();
    expect(report(bench)?.state).toBe('working');
    const effects = bench.command(speedCommand(2, next), undefined, 12);
    expect(kinds(effects)).toEqual(['forwardCommand', 'replied']);
    expect(report(bench)?.stopping).toBe(false);
  });

  it('that was only stalled is back with an answer to the start signal of now', () => {
    const bench = silent();
    bench.run(5n * P);
    // What it had in its queue from before is no sign of life.
    bench.command(speedCommand(2, bench.nextStart() - P));
    expect(report(bench)?.state).toBe('dead');
    bench.command(speedCommand(2, bench.nextStart()));
    expect(report(bench)).toMatchObject({ state: 'rejoining', latched: true });
    bench.resume([2]);
    bench.command(speedCommand(2, bench.nextStart()));
    expect(report(bench)).toMatchObject({ state: 'ready', latched: false });
  });

  it('cannot be resumed before it is back', () => {
    const bench = silent();
    bench.lost(2);
    expect(bench.resume()).toEqual([{ kind: 'resumeRefused', ids: [2] }]);
    expect(bench.resume([1])).toEqual([]);
    expect(report(bench)?.latched).toBe(true);
  });

  it('is refused with the others in the order of their ids', () => {
    const bench = silent();
    bench.lost(2);
    expect(bench.resume([200, 2, 100])).toEqual([{ kind: 'resumeRefused', ids: [2, 100, 200] }]);
  });

  it('is resumed by a start trigger of the lab', () => {
    const bench = silent({ resume: 'trigger' }, { waitForStart: false });
    bench.lost(2);
    bench.ready(2, 12);
    expect(kinds(bench.trigger(bench.clocks.realtimeNs))).toEqual(['resumed']);
  });

  it('is not resumed by a start trigger that the lab repeats', () => {
    const bench = supervised({ resume: 'trigger' }, { waitForStart: true });
    bench.ready(1);
    bench.ready(2);
    const startNs = bench.clocks.realtimeNs;
    bench.trigger(startNs);
    bench.command(speedCommand(2, bench.nextStart()));
    bench.lost(2);
    bench.ready(2, 12);
    expect(kinds(bench.trigger(startNs))).toEqual([]);
    expect(report(bench)?.latched).toBe(true);
    const againNs = bench.clocks.realtimeNs;
    expect(kinds(bench.trigger(againNs))).toEqual(['resumed']);
    bench.lost(2);
    bench.ready(2, 13);
    expect(kinds(bench.trigger(againNs))).toEqual([]);
  });

  it('is not resumed by a start trigger of the lab where only a user may do that', () => {
    const bench = silent({ resume: 'manual' }, { waitForStart: false });
    bench.lost(2);
    bench.ready(2, 12);
    expect(kinds(bench.trigger(bench.clocks.realtimeNs))).toEqual([]);
    expect(report(bench)?.latched).toBe(true);
  });

  it('takes part by itself where that is wanted, and its vehicle is stopped until it commands', () => {
    const bench = silent({ resume: 'auto' });
    bench.lost(2);
    bench.ready(2, 12);
    bench.nextStart();
    expect(report(bench)).toMatchObject({ state: 'working', latched: false, stopping: true });
    const sent = stopCommands(bench).length;
    const next = bench.nextStart();
    expect(stopCommands(bench).length).toBeGreaterThan(sent);
    bench.command(speedCommand(2, next), undefined, 12);
    expect(report(bench)?.stopping).toBe(false);
  });

  it('is stopped once more when it does not go on after its first command', () => {
    const bench = silent();
    bench.lost(2);
    bench.ready(2, 12);
    bench.resume();
    bench.command(speedCommand(2, bench.nextStart()), undefined, 12);
    bench.run(5n * P);
    expect(only(bench.log, 'safeStop').map(({ cause }) => cause)).toEqual(['gone', 'misses']);
  });

  it('is named at the end', () => {
    const bench = silent();
    bench.lost(2);
    bench.trigger(stopSymbol);
    const [ended] = only(bench.run(2n * S), 'ended');
    expect(ended).toEqual(endedBy('stopTrigger', [2])[1]);
  });
});

describe('a stopped controller that is back', () => {
  it('waits for a resume where it has to', () => {
    const changes = (resume: 'manual' | 'auto') => {
      const bench = silent({ resume });
      bench.lost(2);
      return only(bench.ready(2, 12), 'controllerChanged').map(({ to, latched }) => [to, latched]);
    };
    expect(changes('manual')).toEqual([['rejoining', true]]);
    expect(changes('auto')).toEqual([['rejoining', false]]);
  });
});
