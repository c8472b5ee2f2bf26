import { describe, expect, expectTypeOf, it } from 'vitest';
import type { RunSummary } from '../../../src/node/index.js';
import type { NodeEvent } from '../../../src/node/observers/session-observer.js';
import { RunStatistics } from '../../../src/node/observers/run-statistics.js';
import { checkContent } from '../../../src/tap/contents.js';
import {
  FrameWriter,
  keptPriority,
  RecordReader,
  type TapSummary,
} from '../../../src/tap/index.js';
import { oneController } from '../../support/open-tap.js';

type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;

const added = [
  'event_loop_stall_max_us',
  'output_lines_lost',
  'observers_removed',
  'second_controllers',
];

/** The summary in a record after the check of its content. */
function checked(summary: object) {
  const record = checkContent({ type: 'summary', content: { ...oneController, summary } });
  if (record.type !== 'summary') throw new Error('this is no summary');
  return record.content.summary;
}

function stateWith(vehicleId: number, odometerM: number): NodeEvent {
  return { kind: 'vehicleState', sample: { vehicleId }, odometerM } as NodeEvent;
}

describe('the summary of a run in the tap', () => {
  it('has the members of the summary that the middleware writes', () => {
    expectTypeOf<NonNullable<TapSummary['summary']>>().toEqualTypeOf<Writable<RunSummary>>();
    const written = new RunStatistics([1]).summary(7);
    expect(checked(written)).toEqual(written);
  });

  it('is read from a recording of a version with fewer counts', () => {
    const members = Object.entries(oneController.summary ?? {});
    const before = Object.fromEntries(members.filter(([name]) => !added.includes(name)));
    const none = Object.fromEntries(added.map((name) => [name, 0]));
    expect(checked(before)).toEqual({ ...before, ...none });
  });

  it.each([NaN, Infinity, 1e308])('has a finite distance after the odometer %d', (odometerM) => {
    const statistics = new RunStatistics([1]);
    for (const each of [2, odometerM, -1e308]) statistics.event(stateWith(1, each));
    for (const each of [NaN, -Infinity, 2, NaN, 3.5, NaN]) statistics.event(stateWith(2, each));
    const written = statistics.summary();
    const [first, second] = Object.values(written.vehicles);
    expect(Number.isFinite(first?.distance_m)).toBe(true);
    expect(second).toMatchObject({ distance_m: 1.5, states_received: 6 });
    expect(checked(written)).toEqual(written);
  });

  it.each([NaN, Infinity])('is read from a recording with the distance %d', (distanceM) => {
    const vehicle = { distance_m: distanceM, states_received: 1, stale_periods: 0 };
    const before = { ...oneController.summary, vehicles: { '1': vehicle } };
    const frames = new FrameWriter();
    frames.plain('summary', { ...oneController, summary: before }, keptPriority);
    const record = new RecordReader().read(frames.take());
    expect(record.type === 'summary' && record.content.summary?.vehicles[1]).toEqual(vehicle);
  });
});
