import { expect, it } from 'vitest';
import type { SupervisionRule, VehiclesStoppedEvent } from '../../../../src/core/index.js';
import type { RealTimeBench } from '../real-time-bench.js';
import { MS, only, S, speedCommand } from '../support.js';
import { straight } from '../stop/stop-bench.js';
import { allSlots } from '../slot-writer.js';
import { P, report, stopCommands, supervised } from './supervised-bench.js';

/** Controller 2 sent a trajectory, no state comes, and this program stands still. */
function stalled(
  cause: VehiclesStoppedEvent['cause'],
  before: (bench: RealTimeBench) => void = () => undefined,
  stallNs = 800n * MS,
  rule: Partial<SupervisionRule> = {},
) {
  const bench = supervised({ missLimit: 100, ...rule });
  const command = straight(1, bench.start());
  if (command.kind !== 'trajectory') throw new TypeError('no trajectory');
  bench.command({ kind: 'trajectory', message: { ...command.message, vehicle_id: 2 } });
  before(bench);
  bench.clocks.monotonicNs += stallNs;
  const atNs = bench.clocks.monotonicNs;
  bench.handle({ kind: 'vehiclesStopped', cause, ids: 'all', sent: [], atNs });
  bench.run(3n * S);
  return bench;
}

const endsOf = (bench: ReturnType<typeof stalled>) =>
  stopCommands(bench).flatMap(({ command }) =>
    command.kind === 'trajectory' ? [command.message.trajectory_points.at(-1)] : [],
  );

it('a vehicle on a trajectory that was not commanded in a stall is stopped on its plan', () => {
  const bench = stalled('stalledOnPlan');
  const ends = endsOf(bench);
  expect(ends.length).toBeGreaterThan(10);
  // At 0.8 m by the plan; 1 m/s and 2 m/s² are 0.25 m.
  for (const end of ends) {
    expect(end?.vx).toBe(0);
    expect(end?.px).toBeGreaterThan(0.8);
    expect(end?.px).toBeLessThan(1.2);
  }
  expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 2, cause: 'stalled', latched: true }]);
});

it('a vehicle on a trajectory rests where its time-out ended that, where the stall took longer', () => {
  const ends = endsOf(stalled('stalledOnPlan', () => undefined, 1500n * MS));
  expect(ends.length).toBeGreaterThan(10);
  for (const end of ends) {
    expect(end?.vx).toBe(0);
    // At 1 m by the plan; 1 m/s and 2 m/s² are 0.25 m, and it may brake harder.
    expect(end?.px).toBeCloseTo(1.125, 2);
  }
});

it('a stop on a trajectory goes on after a stall in which nothing was commanded', () => {
  const bench = stalled('stalledOnPlan', (driving) => driving.lost(2));
  const [, ...ends] = endsOf(bench);
  expect(ends.length).toBeGreaterThan(10);
  for (const end of ends) expect(end?.px).toBeLessThan(0.4);
});

it('a vehicle on a trajectory that was commanded in a stall rests where that was', () => {
  expect(endsOf(stalled('stalled'))).toEqual([]);
});

it('a vehicle whose misses are only logged is stopped, too, until its controller answers again', () => {
  const bench = stalled('stalledOnPlan', () => undefined, 800n * MS, { policy: 'log' });
  expect(endsOf(bench).length).toBeGreaterThan(10);
  expect(only(bench.log, 'safeStop')).toMatchObject([{ id: 2, cause: 'stalled', latched: false }]);
  bench.command(speedCommand(2, bench.nextStart()));
  expect(only(bench.log, 'forwardCommand')).toHaveLength(1);
  bench.command(speedCommand(2, bench.nextStart()));
  expect(only(bench.log, 'forwardCommand')).toHaveLength(2);
  expect(report(bench)).toMatchObject({ state: 'ready', stopping: false });
});

it('a stop that follows from start signals which went out in a stall begins after the stall', () => {
  const bench = supervised({ missLimit: 2 });
  const command = straight(1, bench.start());
  if (command.kind !== 'trajectory') throw new TypeError('no trajectory');
  bench.command({ kind: 'trajectory', message: { ...command.message, vehicle_id: 2 } });
  const prepared = only(bench.run(P), 'prepareStart').at(-1);
  if (prepared === undefined) throw new TypeError('nothing is prepared');
  const [, ...standIns] = allSlots(prepared.slots);
  bench.clocks.monotonicNs += 800n * MS;
  const { monotonicNs: atNs, aheadNs } = bench.clocks;
  for (const { index, tNowNs, notBeforeNs: monotonicNs } of standIns.slice(0, 10)) {
    const now = { monotonicNs, realtimeNs: monotonicNs + aheadNs };
    bench.handle({ kind: 'startSent', plan: prepared.plan, index, tNowNs, now, atNs });
  }
  const [first] = stopCommands(bench);
  if (first?.command.kind !== 'trajectory') throw new TypeError('no trajectory');
  expect(first.command.message.header.create_stamp.nanoseconds).toBe(atNs + aheadNs);
  // At 0.85 m by the plan, and 0.25 m on which it brakes.
  expect(first.command.message.trajectory_points.at(-1)?.px).toBeGreaterThan(1);
});

it('a controller that is back within the period of its stop does not miss that period', () => {
  const bench = supervised({ missLimit: 1, resume: 'auto' });
  bench.start();
  const atNs = bench.clocks.monotonicNs;
  bench.handle({ kind: 'vehiclesStopped', cause: 'stalled', ids: [2], sent: [], atNs });
  bench.ready(2);
  bench.nextStart();
  bench.run(20n * MS);
  expect(only(bench.log, 'missed')).toHaveLength(1);
  expect(report(bench)).toMatchObject({ state: 'working', latched: false });
});
