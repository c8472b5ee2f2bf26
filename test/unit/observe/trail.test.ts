import { describe, expect, it } from 'vitest';
import { LiveView } from '../../../src/observe/live/live-view.js';
import type { VehicleView } from '../../../src/observe/live/page-protocol.js';
import { extendTrail } from '../../../src/observe/page/trail.js';
import { ScriptRecords } from '../replay/script-records.js';

const at = (t: number, x: number, trail?: readonly number[]): VehicleView => ({
  id: 1,
  t,
  x,
  y: 0,
  yaw: 0,
  speed: 1,
  battery: 8,
  poseAgeMs: 0,
  ...(trail && { trail }),
});

/** The newest state that a page gets of a vehicle that drove 0.1 m in each of ten steps. */
function shown(mode: 'real' | 'simulated'): VehicleView | undefined {
  const script = new ScriptRecords([1], mode);
  for (let step = 0; step < 10; step++) script.state(1, step, step * 0.1);
  const view = new LiveView();
  const page = view.open(false);
  for (const record of script.records) {
    if (record.type === 'hello') view.connected(record.content);
    else view.record(record);
  }
  return view.take(page)?.vehicles?.[0];
}

describe('The trail of a vehicle', () => {
  it('has the states between two updates in simulated time', () => {
    const vehicle = shown('simulated');
    if (vehicle === undefined) throw new Error('no vehicle');
    const trail: number[] = [];
    extendTrail(trail, undefined, vehicle);
    const xs = trail.filter((_, i) => i % 2 === 0);
    expect(xs).toHaveLength(11);
    expect(xs).not.toContain(NaN);
    expect(xs[0]).toBe(0);
    expect(xs.at(-1)).toBeCloseTo(0.9, 9);
  });

  it('has only the newest state of each update in real time', () => {
    expect(shown('real')).toMatchObject({ id: 1 });
    expect(shown('real')).not.toHaveProperty('trail');
  });

  it('has a gap where a vehicle jumped or an update is missing', () => {
    const trail: number[] = [];
    extendTrail(trail, at(0, 0), at(20, 0.02));
    extendTrail(trail, at(20, 0.02), at(40, 3));
    extendTrail(trail, at(40, 3), at(60, 9.2, [3.1, 0, 9, 0]));
    const xs = trail.filter((_, i) => i % 2 === 0);
    expect(xs).toEqual([0.02, NaN, 3, 3.1, NaN, 9, 9.2]);
  });

  it('keeps the newest 120 points', () => {
    const trail: number[] = [];
    for (let x = 0; x < 200; x++) extendTrail(trail, undefined, at(x, x));
    expect(trail).toHaveLength(240);
    expect(trail.at(-2)).toBe(199);
  });
});
