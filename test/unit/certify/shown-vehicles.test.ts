import { describe, expect, it } from 'vitest';
import { ShownVehicles } from '../../../src/certify/examination/lists.js';
import { direct } from './transcripts.js';

const ms = 1_000_000n;
const second = 1000n * ms;
const periodNs = 50n * ms;
const startNs = 100n * second;

function shown(vehicleIds: readonly number[] = [1, 2]) {
  return new ShownVehicles(vehicleIds, () => 0.25);
}

const idsOf = (list: { readonly state_list: readonly { readonly vehicle_id: number }[] }) =>
  list.state_list.map(({ vehicle_id }) => vehicle_id);

describe('the list of a start signal', () => {
  it('has the time and the period, and the own vehicles with one stranger', () => {
    const list = shown().list('usual', startNs, periodNs);
    expect(list).toMatchObject({ t_now: startNs, period_ms: 50n });
    expect(idsOf(list)).toEqual([1, 2, 255]);
    expect(list.active_vehicle_ids).toEqual([1, 2, 255]);
  });

  it.each([
    ['empty', []],
    ['ownAbsent', [254, 255]],
    ['zeros', [0, 1, 2, 255]],
    ['strangers', [1, 2, 252, 253, 254, 255]],
  ] as const)('of the kind %s has the states of %j', (kind, ids) => {
    expect(idsOf(shown().list(kind, startNs, periodNs))).toEqual(ids);
  });

  it('of the kind strangers names only the own vehicles as active', () => {
    const { active_vehicle_ids } = shown().list('strangers', startNs, periodNs);
    expect(active_vehicle_ids).toEqual([1, 2]);
  });

  it('of the kind many has more than 60 states, each vehicle once', () => {
    const ids = idsOf(shown().list('many', startNs, periodNs));
    expect(ids.length).toBeGreaterThan(60);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the vehicles', () => {
  /** Where vehicle 1 is after a second with one command, or without any. */
  function placeAfterDrive(throttle: number | null): string {
    const vehicles = shown([1]);
    vehicles.list('usual', startNs, periodNs);
    for (let nowNs = startNs; nowNs < startNs + second; nowNs += periodNs) {
      if (throttle !== null) vehicles.receive(direct(1, nowNs, { motor_throttle: throttle }));
      vehicles.list('usual', nowNs + periodNs, periodNs);
    }
    const list = vehicles.list('usual', startNs + second + periodNs, periodNs);
    return JSON.stringify(list.state_list.find(({ vehicle_id }) => vehicle_id === 1)?.pose);
  }

  it('drive as they are commanded', () => {
    expect(placeAfterDrive(0.5)).not.toBe(placeAfterDrive(null));
    expect(placeAfterDrive(0)).toBe(placeAfterDrive(null));
  });
});
