import { describe, expect, it } from 'vitest';
import { cpmLabVehicle } from '../../../src/core/index.js';
import { SimulatedVehicle } from '../../../src/lab/simulated-vehicle.js';
import { CommandInbox, type VehicleCommand } from '../../../src/sides/index.js';
import { straight } from './commands.js';

const stepNs = 20_000_000n;
const second = 1_000_000_000n;
const t = 1_000n * second;

/** A vehicle at the origin that obeys as those of the CPM Lab. */
class Driven extends SimulatedVehicle {
  readonly #inbox = new CommandInbox(cpmLabVehicle);

  constructor() {
    super(1, { x: 0, y: 0, yaw: 0 });
  }

  receive(command: VehicleCommand): void {
    this.#inbox.add(command, t);
  }

  /** Steps of 20 ms up to a time. */
  run(fromNs: bigint, toNs: bigint): void {
    for (let now = fromNs + stepNs; now <= toNs; now += stepNs) {
      this.step(now, 0.02, this.#inbox.commandAt(now));
    }
  }
}

describe('a simulated vehicle', () => {
  it('stands where it was put until a command comes', () => {
    const vehicle = new SimulatedVehicle(7, { x: 1, y: 2, yaw: 0.5 });
    for (let now = t; now <= t + second; now += stepNs) vehicle.step(now, 0.02, null);
    expect(vehicle.drive).toBe('no-command-yet');
    expect(vehicle.drivenM).toBe(0);
    expect(vehicle.measured().pose).toEqual({ x: 1, y: 2, yaw: 0.5 });
  });

  it('drives for one second after its last command, then brakes, stands and says so', () => {
    const vehicle = new Driven();
    vehicle.receive(straight(1, t));
    vehicle.run(t, t + second - stepNs);
    expect(vehicle.drive).toBe('commanded');
    expect(vehicle.motion.speed).toBe(1);
    vehicle.run(t + second - stepNs, t + second);
    expect(vehicle.drive).toBe('command-timeout');
    vehicle.run(t + second, t + 2n * second);
    expect(vehicle.motion.speed).toBe(0);
    const there = vehicle.motion;
    vehicle.run(t + 2n * second, t + 10n * second);
    expect(vehicle.motion).toEqual(there);
  });

  it('goes on with a new command after it stopped', () => {
    const vehicle = new Driven();
    vehicle.receive(straight(1, t));
    vehicle.run(t, t + 3n * second);
    vehicle.receive(straight(1, t + 3n * second));
    vehicle.run(t + 3n * second, t + 4n * second - stepNs);
    expect(vehicle.drive).toBe('commanded');
    expect(vehicle.motion.speed).toBe(1);
  });

  it('measures itself', () => {
    const vehicle = new Driven();
    vehicle.receive(straight(1, t));
    vehicle.run(t, t + second - stepNs);
    const measured = vehicle.measured();
    expect(measured).toMatchObject({ vehicleId: 1, speed: 1, steering_servo: 0 });
    expect(measured.odometer_distance).toBeCloseTo(measured.pose.x, 9);
  });

  it('counts the way back as driven, and takes it off the odometer', () => {
    const vehicle = new Driven();
    vehicle.receive(straight(1, t));
    vehicle.run(t, t + second - stepNs);
    vehicle.receive(straight(-1, t + second));
    vehicle.run(t + second - stepNs, t + 2n * second);
    expect(vehicle.drivenM).toBeGreaterThan(1);
    expect(vehicle.measured().odometer_distance).toBeCloseTo(vehicle.motion.x, 9);
    expect(vehicle.measured().odometer_distance).toBeLessThan(0.6);
  });
});
