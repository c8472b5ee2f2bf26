import { expect, it } from 'vitest';
import { RestPlace } from '../../../../src/core/stop/rest-place.js';
import { VehicleMotion } from '../../../../src/core/stop/vehicle-motion.js';
import { MS, S } from '../support.js';
import { T0 } from './motion-arbitraries.js';

const stateNs = 20n * MS;

/** A vehicle that rests for 1 s where it is seen, by a place at 1 m. */
class Resting {
  readonly motion = new VehicleMotion(50n * MS);
  readonly place: RestPlace;
  #nowNs = S;
  #x: number;

  constructor(seenAtM: number) {
    this.place = new RestPlace({ path: null, x: 1, y: 0 }, this.#nowNs);
    this.#x = seenAtM;
    this.waits(S);
    this.place.rests(this.motion, false, this.#nowNs);
  }

  get placeM(): number {
    return this.place.at.path === null ? this.place.at.x : NaN;
  }

  waits(forNs: bigint): void {
    this.#drives(this.#x, forNs);
  }

  /** In 0.1 s. */
  creeps(byM: number): void {
    this.#drives(this.#x + byM, 100n * MS);
  }

  /** In 0.3 s, and stands there for 0.4 s. */
  moves(byM: number): void {
    this.#drives(this.#x + byM, 300n * MS);
    this.waits(400n * MS);
  }

  /** Its pose does, within one state. */
  jumps(byM: number): void {
    this.#x += byM;
    this.waits(S);
    const { hasJumped } = this.motion;
    this.motion.confirm();
    this.place.rests(this.motion, hasJumped, this.#nowNs);
  }

  #drives(toM: number, forNs: bigint): void {
    const steps = Number(forNs / stateNs);
    const wayM = toM - this.#x;
    for (let step = 1; step <= steps; step++) {
      this.#nowNs += stateNs;
      const left = 1 - step / steps;
      this.#x = toM - wayM * left ** 2;
      const pose = { x: this.#x, y: 0, yaw: 0 };
      const speedMps = (2 * wayM * left * 1e9) / Number(forNs);
      const at = { steadyNs: this.#nowNs, stampNs: T0 + this.#nowNs };
      this.motion.observe({ speedMps, pose, createStampNs: at.stampNs }, at);
      this.place.advance(this.motion, this.#nowNs);
    }
  }
}

it('is where a vehicle was moved to, as far from its poses as before', () => {
  const vehicle = new Resting(1.2);
  vehicle.waits(2n * S);
  vehicle.moves(-0.4);
  expect(vehicle.placeM).toBeCloseTo(0.6, 2);
});

it('is not moved a second time when the vehicle follows it', () => {
  // Something holds the vehicle before its place.
  const vehicle = new Resting(0.8);
  vehicle.waits(2n * S);
  vehicle.moves(0.2);
  expect(vehicle.placeM).toBeCloseTo(1.2, 2);
  vehicle.moves(0.2);
  vehicle.waits(2n * S);
  expect(vehicle.placeM).toBeCloseTo(1.2, 2);
});

it('is not drawn on by a vehicle that drives to it from afar', () => {
  // Something holds the vehicle 0.45 m before its place, and lets it go.
  const vehicle = new Resting(0.55);
  vehicle.waits(2n * S);
  let movedM = 0;
  for (let step = 0; step < 200; step++) {
    const byM = (vehicle.placeM - 0.55 - movedM) / 5;
    movedM += byM;
    vehicle.creeps(byM);
  }
  expect(movedM).toBeLessThan(1);
});

it.each([0.1, 0.15, 0.5])('stays where the pose of the vehicle jumps by %f m', (byM) => {
  const vehicle = new Resting(1);
  vehicle.jumps(byM);
  expect(vehicle.placeM).toBe(1);
  vehicle.waits(2n * S);
  vehicle.moves(-0.4);
  expect(vehicle.placeM).toBeCloseTo(0.6, 2);
});
