import { expect, it } from 'vitest';
import type { Command, VehiclesStoppedEvent } from '../../../src/core/index.js';
import { pathCommand, pathSpeedOf } from './guard/guard-bench.js';
import { RealTimeBench } from './real-time-bench.js';
import { MS, only } from './support.js';

const speedsOf = (effects: Parameters<typeof only>[0]) =>
  only(effects, 'commandVehicle').map(({ command }) => pathSpeedOf(command as Command));

it.each<VehiclesStoppedEvent['cause']>(['stalled', 'stalledOnPlan', 'guard'])(
  'a run that ends does not drive a vehicle on that was stopped meanwhile (%s)',
  (cause) => {
    const bench = new RealTimeBench();
    const startNs = bench.start();
    bench.command(pathCommand(startNs, 2));
    const atNs = bench.clocks.monotonicNs;
    bench.handle({ kind: 'stop', atNs });
    const braking = speedsOf(bench.run(200n * MS));
    expect(braking.length).toBeGreaterThan(2);
    expect(Math.min(...braking)).toBeGreaterThan(1);
    bench.handle({
      kind: 'vehiclesStopped',
      cause,
      ids: 'all',
      sent: [],
      atNs: bench.clocks.monotonicNs,
    });
    const standing = speedsOf(bench.run(200n * MS));
    expect(standing.length).toBeGreaterThan(2);
    expect(new Set(standing)).toEqual(new Set([0]));
  },
);
