import { beforeEach, describe, expect, it } from 'vitest';
import { VehicleWatch } from '../../../../src/core/supervision/vehicle-watch.js';
import { MS, S } from '../support.js';

let watch: VehicleWatch;
beforeEach(() => {
  watch = new VehicleWatch(50n * MS);
});

/** States at 50 Hz from a time up to another. */
function drive(speed: number, fromNs: bigint, toNs: bigint): void {
  for (let t = fromNs; t <= toNs; t += 20n * MS) watch.heard(1, speed, t);
}

describe('a vehicle', () => {
  it('is at rest when it has stood for a tenth of a second since the stop', () => {
    drive(1, 0n, S);
    expect(watch.isAtRest(1, S)).toBe(false);
    drive(0.01, S, S + 80n * MS);
    expect(watch.isAtRest(1, S)).toBe(false);
    watch.heard(1, -0.01, S + 100n * MS);
    expect(watch.isAtRest(1, S)).toBe(true);
    watch.heard(1, 0.2, S + 120n * MS);
    expect(watch.isAtRest(1, S)).toBe(false);
  });

  it('that stood before is at rest only when it was heard of for as long after the stop', () => {
    drive(0, 0n, S);
    expect(watch.isAtRest(1, S)).toBe(false);
    drive(0, S, S + 100n * MS);
    expect(watch.isAtRest(1, S)).toBe(true);
  });

  it('is gone two seconds after it was last heard of, or after the stop', () => {
    watch.heard(1, 1, 0n);
    expect(watch.isGone(1, S, 3n * S - 1n)).toBe(false);
    expect(watch.isGone(1, S, 3n * S)).toBe(true);
    expect(watch.isGone(9, S, 3n * S - 1n)).toBe(false);
    expect(watch.isGone(9, S, 3n * S)).toBe(true);
    watch.heard(1, 1, 4n * S);
    expect(watch.isGone(1, S, 5n * S)).toBe(false);
  });

  it('is gone after six periods where these are long', () => {
    watch = new VehicleWatch(2n * S);
    watch.heard(1, 1, 0n);
    expect(watch.isGone(1, 0n, 12n * S - 1n)).toBe(false);
    expect(watch.isGone(1, 0n, 12n * S)).toBe(true);
  });
});
