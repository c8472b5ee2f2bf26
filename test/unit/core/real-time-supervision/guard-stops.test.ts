import { describe, expect, it } from 'vitest';
import { cpmLabCommandRules, type StoppedVehicle } from '../../../../src/core/index.js';
import type { RealTimeBench } from '../real-time-bench.js';
import { MS, only, speedCommand } from '../support.js';
import { drive, stopCommands, supervised } from './supervised-bench.js';

it('forwards nothing to a vehicle that a guard has stopped, also before the first period', () => {
  const bench = supervised({ policy: 'log' }, { rules: cpmLabCommandRules });
  const { realtimeNs, monotonicNs } = bench.clocks;
  bench.command(speedCommand(2, realtimeNs));
  bench.handle({
    kind: 'vehiclesStopped',
    cause: 'guard',
    ids: 'all',
    sent: [],
    atNs: monotonicNs,
  });
  const [effect] = bench.command(speedCommand(2, realtimeNs + MS));
  expect(effect).toMatchObject({ kind: 'refuseCommand', code: 'HLC_COMMAND_NO_PERIOD' });
});

describe('a stop of the guard', () => {
  const stoppedByGuard = (
    bench: RealTimeBench,
    ids: readonly number[] | 'all' = 'all',
    sent: readonly StoppedVehicle[] = [],
  ) =>
    bench.handle({
      kind: 'vehiclesStopped',
      cause: 'guard',
      ids,
      sent,
      atNs: bench.clocks.monotonicNs,
    });

  it('latches a vehicle that drives, whatever its policy is', () => {
    const bench = supervised();
    const startNs = bench.start();
    bench.command(speedCommand(1, startNs));
    bench.command(speedCommand(2, startNs));
    const effects = stoppedByGuard(bench);
    expect(only(effects, 'safeStop').map(({ id, cause, latched }) => [id, cause, latched])).toEqual(
      [
        [1, 'guard', true],
        [2, 'guard', true],
      ],
    );
    // The states of now come first.
    expect(only(effects, 'commandVehicle')).toEqual([]);
    const later = only(bench.run(50n * MS), 'commandVehicle');
    expect(new Set(later.map(({ id }) => id))).toEqual(new Set([1, 2]));
  });

  it('goes on with the stop of a vehicle that another run drove', () => {
    const bench = supervised();
    const stampNs = bench.clocks.realtimeNs + 5n * MS;
    const stamps = {
      newestCreateNs: stampNs,
      newestValidNs: stampNs,
      obeyedUntilNs: null,
      speedMps: 0,
    };
    stoppedByGuard(bench, [2], [{ id: 2, kinds: ['speedCurvature', 'pathTracking'], ...stamps }]);
    bench.state(2, bench.clocks.realtimeNs, '', 1);
    bench.run(200n * MS);
    const stops = stopCommands(bench).filter(({ id }) => id === 2);
    expect(new Set(stops.map(({ command }) => command.kind))).toEqual(
      new Set(['speedCurvature', 'pathTracking']),
    );
    for (const { command } of stops) {
      expect(command.message.header.create_stamp.nanoseconds).toBeGreaterThan(stampNs);
    }
  });

  it('makes a vehicle stand that is being braked, as the guard has commanded it', () => {
    const bench = supervised();
    const startNs = bench.start();
    bench.command({
      kind: 'pathTracking',
      message: {
        ...speedCommand(2, startNs).message,
        path: [0, 1, 0].map((x, s) => ({ pose: { x, y: 0, yaw: 0 }, s })),
        speed: 1,
      },
    });
    drive(bench, 1, 10n * MS);
    bench.lost(2);
    bench.run(50n * MS);
    const speeds = () =>
      stopCommands(bench).map(({ command }) =>
        command.kind === 'pathTracking' ? command.message.speed : 0,
      );
    expect(speeds().at(-1)).toBeGreaterThan(0.5);
    stoppedByGuard(bench, [2]);
    const before = speeds().length;
    drive(bench, 0.8, 100n * MS);
    expect(speeds().slice(before)).not.toEqual([]);
    expect(new Set(speeds().slice(before))).toEqual(new Set([0]));
  });

  it('latches a controller that is not there yet', () => {
    const bench = supervised();
    stoppedByGuard(bench, [2, 7]);
    expect(only(bench.log, 'safeStop').map(({ id }) => id)).toEqual([2]);
    bench.command(speedCommand(2, bench.start()));
    expect(only(bench.log, 'forwardCommand')).toEqual([]);
    bench.resume();
    bench.command(speedCommand(2, bench.nextStart()));
    expect(only(bench.log, 'forwardCommand')).toHaveLength(1);
  });
});
