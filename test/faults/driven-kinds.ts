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

/** Vehicles that are driven with each kind of command, and no more than one each. */
export const singleKinds = vehiclesOf(single);

/** The same with mixtures of kinds, and with vehicles that have a time-out of their own. */
export const allKinds = vehiclesOf([...single, ...mixed, ...selfStopping]);

/** The same in simulated time, in which a trajectory is over for a vehicle whose clock is that of the wall. */
export const simulatedKinds = allKinds.filter(
  ({ model = {} }) => !('track' in model || 'timeout' in model),
);

/** A vehicle that drives to the places of its trajectory, backwards as well. */
export const placeFollower: readonly JudgedVehicle[] = vehiclesOf([
  ['tracked places', 't', { track: 1, reverse: 1 }],
]);

/** Vehicles of all kinds, and one that drives to places. */
export const allKindsAndPlaces: readonly JudgedVehicle[] = [
  ...allKinds,
  ...placeFollower.map((vehicle) => ({ ...vehicle, id: 20 })),
];

/** These vehicles with further options of the model. */
export function withModel(
  vehicles: readonly JudgedVehicle[],
  model: VehicleOptions,
): readonly JudgedVehicle[] {
  return vehicles.map((vehicle) => ({ ...vehicle, model: { ...vehicle.model, ...model } }));
}

/** At 2 m/s, it answers quickly, and brakes hardly harder than declared. */
export function weakFollower(): readonly JudgedVehicle[] {
  return withDrive(withModel(placeFollower, { response: 50, hardest: 2.5 }), { v: 2 });
}

/** These vehicles with further options of the controller. */
export function withDrive(
  vehicles: readonly JudgedVehicle[],
  drive: VehicleOptions,
): readonly JudgedVehicle[] {
  return vehicles.map((vehicle) => ({ ...vehicle, drive: { ...vehicle.drive, ...drive } }));
}

function vehiclesOf(kinds: readonly [string, string, VehicleOptions?][]): readonly JudgedVehicle[] {
  return kinds.map(([name, letters, model = {}], i) => ({
    id: i + 1,
    name,
    drive: { kinds: letters },
    model,
  }));
}
