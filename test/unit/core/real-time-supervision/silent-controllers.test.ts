import { describe, expect, it } from 'vitest';
import { kinds, MS, only, S, speedCommand } from '../support.js';
import { drive, P, report, silent, stopCommands, supervised } from './supervised-bench.js';

describe('a controller that falls silent', () => {
  it('is out after the limit of misses, and its vehicle is stopped at that moment', () => {
    const bench = silent();
    const answeredAtNs = bench.clocks.monotonicNs;
    // Three missed periods, each judged a millisecond after its end.
    bench.run(4n * P + MS - 1n);
    expect(only(bench.log, 'safeStop')).toEqual([]);
    bench.run(1n);
    expect(bench.clocks.monotonicNs - answeredAtNs).toBe(4n * P + MS);
    expect(only(bench.log, 'safeStop')).toEqual([
      { kind: 'safeStop', id: 2, cause: 'misses', latched: true },
    ]);
    const [stop] = stopCommands(bench);
    const stamp = { nanoseconds: bench.clocks.realtimeNs };
    expect(stop?.command).toEqual({
      kind: 'speedCurvature',
      message: {
        vehicle_id: 2,
        header: { create_stamp: stamp, valid_after_stamp: stamp },
        speed: 0,
        curvature: 0,
      },
    });
    expect(report(bench)).toMatchObject({ state: 'dead', latched: true, stopping: true });
  });

  it('is not out when it answers before, however late', () => {
    const bench = silent();
    bench.run(3n * P);
    bench.command(speedCommand(2, bench.clocks.realtimeNs));
    bench.run(3n * P);
    expect(only(bench.log, 'safeStop')).toEqual([]);
    // The answer ended the row: the limit is counted anew.
    bench.run(2n * P);
    expect(only(bench.log, 'safeStop')).toHaveLength(1);
  });

  it('gets a stop in every period until its vehicle stands, and no longer', () => {
    const bench = silent();
    drive(bench, 1, 10n * P);
    const moving = stopCommands(bench).length;
    // The stop itself, and one every 50 ms since.
    expect(moving).toBe(6);
    drive(bench, 0, 30n * P);
    expect(only(bench.log, 'vehicleStopped')).toMatchObject([{ id: 2, outcome: 'atRest' }]);
    expect(report(bench)?.stopping).toBe(false);
    const resting = stopCommands(bench).length;
    drive(bench, 0, 10n * P);
    expect(stopCommands(bench)).toHaveLength(resting);
    // Pushed, or driving again for whatever reason.
    drive(bench, 1, 2n * P);
    expect(stopCommands(bench).length).toBeGreaterThan(resting);
  });

  it('gets no stop any more when its vehicle is gone', () => {
    const bench = silent();
    drive(bench, 1, 4n * P);
    bench.run(3n * S);
    expect(only(bench.log, 'vehicleStopped')).toMatchObject([{ id: 2, outcome: 'silent' }]);
    const sent = stopCommands(bench).length;
    bench.run(S);
    expect(stopCommands(bench)).toHaveLength(sent);
  });

  it('leaves nothing to be stopped when it never commanded its vehicle', () => {
    const bench = supervised();
    bench.start();
    bench.run(20n * P);
    expect(only(bench.log, 'safeStop')).toEqual([]);
    expect(report(bench)?.state).toBe('late');
  });

  it('has no further misses reported once it is out', () => {
    const bench = silent();
    bench.run(20n * P);
    const last = only(bench.log, 'missed').at(-1);
    expect(last?.misses.map(({ id }) => id)).toEqual([1]);
    // The third is judged when the fourth period has begun and has asked it, too.
    expect(report(bench)?.misses).toBe(4);
  });

  it('does not count misses in its grace', () => {
    const bench = silent({ graceNs: 6n * P });
    bench.run(6n * P);
    expect(only(bench.log, 'safeStop')).toEqual([]);
    bench.run(3n * P + MS);
    expect(only(bench.log, 'safeStop')).toHaveLength(1);
  });

  it('has its last command held for some periods, if that is wanted, and is then stopped', () => {
    const bench = silent({ policy: 'hold' });
    bench.run(8n * P);
    const own = only(bench.log, 'commandVehicle').map(({ cause, command }) => [
      cause,
      command.kind === 'speedCurvature' ? command.message.speed : null,
    ]);
    expect(own.slice(0, 3)).toEqual([
      ['hold', 1],
      ['hold', 1],
      ['stop', 0],
    ]);
    expect(report(bench)?.state).toBe('dead');
  });

  it('has no command held whose time has not come', () => {
    const bench = supervised({ policy: 'hold' });
    const first = bench.start();
    bench.command(speedCommand(2, first, first + 20n * P));
    bench.run(4n * P);
    expect(only(bench.log, 'commandVehicle')).toEqual([]);
    bench.run(4n * P);
    const causes = only(bench.log, 'commandVehicle').map(({ cause }) => cause);
    expect(new Set(causes)).toEqual(new Set(['stop']));
  });

  it('is late and nothing else by the policy to log', () => {
    const bench = silent({ policy: 'log' });
    bench.run(20n * P);
    expect(only(bench.log, 'commandVehicle')).toEqual([]);
    expect(report(bench)).toMatchObject({ state: 'late', misses: 18 });
  });
});

describe('a controller whose process is gone', () => {
  it('has its vehicle stopped at once', () => {
    const bench = silent();
    expect(kinds(bench.lost(2))).toEqual(['commandVehicle', 'safeStop', 'controllerChanged']);
    expect(only(bench.log, 'safeStop')).toEqual([
      { kind: 'safeStop', id: 2, cause: 'gone', latched: true },
    ]);
  });

  it('is waited for again when that was before the start', () => {
    const bench = supervised({}, { waitForStart: true });
    bench.ready(1);
    bench.ready(2);
    expect(bench.session.phase).toBe('waitingForStart');
    bench.lost(2);
    expect(bench.session.phase).toBe('waitingForControllers');
    const [missing] = only(bench.run(2n * S), 'controllersMissing');
    expect(missing?.ids).toEqual([2]);
    bench.ready(2, 12);
    expect(bench.session.phase).toBe('waitingForStart');
    expect(only(bench.log, 'controllerReady').map(({ id }) => id)).toEqual([1, 2, 2]);
  });
});
