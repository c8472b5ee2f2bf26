import type { JudgedVehicle, VehicleOptions } from '../support/judged-lab.js';

/** A vehicle of the CPM Lab: every command is obeyed for 1 s. */
const ofTheLab = { window: 1000, timeout: 1000 };

const circle = { shape: 'circle' };

/** Each kind of command alone. */
const single: readonly [string, string, VehicleOptions?][] = [
  ['direct', 'd'],
  ['speed and curvature', 's'],
  ['trajectory', 't'],
  ['tracked trajectory', 't', { track: 1, rank: 'valid' }],
  ['path', 'p', circle],
];

/** Mixtures; the order of kinds counts for 1 s as in the CPM Lab, or for ever. */
const mixed: readonly [string, string, VehicleOptions?][] = [
  ['direct + path', 'dp'],
  ['path + direct for 1 s', 'pd', { window: 1000, rank: 'valid' }],
  ['speed + path', 'sp', { rank: 'valid' }],
  ['trajectory + path', 'tp', { track: 1, window: 1000 }],
  ['all four', 'ptsd'],
];

/** With the time-out of the CPM Lab. */
const selfStopping: readonly [string, string, VehicleOptions?][] = [
  ['path, own time-out', 'p', { ...circle, ...ofTheLab }],
  ['trajectory, own time-out', 't', { track: 1, ...ofTheLab }],
];

/** Vehicles that are driven with each kind of command, with mixtures, and with a time-out of their own. */
export const allKinds = vehiclesOf([...single, ...mixed, ...selfStopping]);

function vehiclesOf(kinds: readonly [string, string, VehicleOptions?][]): readonly JudgedVehicle[] {
  return kinds.map(([name, letters, model = {}], i) => ({
    id: i + 1,
    name,
    drive: { kinds: letters },
    model,
  }));
}
