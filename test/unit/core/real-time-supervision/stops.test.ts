import { describe, expect, it } from 'vitest';
import { endedBy, kinds, MS, only, S, speedCommand } from '../support.js';
import { P, silent, stopCommands, supervised } from './supervised-bench.js';

describe('a stop during which the wall clock is set back', () => {
  it('never asks for more speed than there was', () => {
    const bench = supervised();
    const first = bench.start();
    const { header } = speedCommand(2, first).message;
    const pose = { x: 0, y: 0, yaw: 0 };
    const path = [
      { pose, s: 0 },
      { pose, s: 4 },
    ];
    bench.command({ kind: 'pathTracking', message: { vehicle_id: 2, header, path, speed: 1 } });
    bench.lost(2);
    bench.clocks.aheadNs -= 3600n * S;
    bench.run(20n * P);
    // Those that hold from later on outrank the command of before the step; they do not brake.
    const holdNow = stopCommands(bench).filter(
      ({ command: { message } }, i) =>
        i === 0 || message.header.valid_after_stamp.nanoseconds < first,
    );
    const speeds = holdNow.map(({ command }) =>
      command.kind === 'pathTracking' ? command.message.speed : Number.NaN,
    );
    expect(speeds.length).toBeGreaterThan(10);
    expect(Math.max(...speeds)).toBe(1);
    expect(speeds.at(-1)).toBe(0);
    expect([...speeds].sort((a, b) => b - a)).toEqual(speeds);
  });
});

describe('a stopped vehicle', () => {
  it.each([
    { stamps: 'that rise', stampOf: (nowNs: bigint) => nowNs, outcome: 'atRest' },
    { stamps: 'of one old state', stampOf: () => S, outcome: 'silent' },
    { stamps: 'of 0', stampOf: () => 0n, outcome: 'atRest' },
  ] as const)('is $outcome with stamps of its states $stamps', ({ stampOf, outcome }) => {
    const bench = silent();
    bench.state(2, bench.clocks.realtimeNs, '', 1);
    bench.lost(2);
    for (let t = 0n; t < 3n * S; t += 20n * MS) {
      bench.run(20n * MS);
      bench.state(2, stampOf(bench.clocks.realtimeNs), '', 0);
    }
    const outcomes = only(bench.log, 'vehicleStopped').map((stopped) => stopped.outcome);
    expect(outcomes).toEqual([outcome]);
  });
});

it('reports a start signal that went out just before the end of the run was decided', () => {
  const bench = silent();
  const prepared = only(bench.run(P - MS), 'prepareStart').at(-1);
  const slot = prepared?.slots.first;
  if (prepared === undefined || slot === undefined) expect.fail('nothing was prepared');
  bench.clocks.monotonicNs = slot.notBeforeNs;
  const now = bench.clocks.read();
  bench.handle({ kind: 'stop', atNs: now.monotonicNs });
  expect(bench.session.phase).toBe('stopping');
  const { index, tNowNs } = slot;
  const { plan } = prepared;
  const late = bench.handle({ kind: 'startSent', plan, index, tNowNs, now, atNs: now.monotonicNs });
  expect(late).toMatchObject([{ kind: 'startSignalSent', tNowNs, standIn: false }]);
});

describe('the end of a run', () => {
  it('brings every vehicle to rest that was commanded in it', () => {
    const bench = silent();
    const effects = bench.handle({ kind: 'stop', atNs: bench.clocks.monotonicNs });
    expect(kinds(effects)).toEqual(['cancelStart', 'ending', 'commandVehicle']);
    expect(bench.session.phase).toBe('stopping');
    const later = bench.run(2n * S);
    expect(only(later, 'commandVehicle').length).toBeGreaterThan(10);
    expect(only(later, 'ended')).toEqual(endedBy('stopped').slice(1));
    expect(only(effects, 'commandVehicle')[0]?.command.message).toMatchObject({
      vehicle_id: 2,
      speed: 0,
    });
  });
});
