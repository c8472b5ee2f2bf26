import { describe, expect, it } from 'vitest';
import { SimulatedVehicle } from '../../../src/lab/simulated-vehicle.js';
import { header, straight } from './commands.js';

const stepNs = 20_000_000n;
const second = 1_000_000_000n;
const t = 1_000n * second;

/** Steps of 20 ms after `t` up to a time. */
function runTo(vehicle: SimulatedVehicle, fromNs: bigint, toNs: bigint): void {
  for (let now = fromNs + stepNs; now <= toNs; now += stepNs) vehicle.step(now, 0.02);
}

describe('a simulated vehicle', () => {
  it('stands where it was put until a command comes', () => {
    const vehicle = new SimulatedVehicle(7, { x: 1, y: 2, yaw: 0.5 });
    runTo(vehicle, t, t + second);
    expect(vehicle.drive).toBe('no-command-yet');
    expect(vehicle.drivenM).toBe(0);
    expect(vehicle.state(t).pose).toEqual({ x: 1, y: 2, yaw: 0.5 });
  });

  it('drives for one second after its last command, then brakes, stands and says so', () => {
    const vehicle = new SimulatedVehicle(1, { x: 0, y: 0, yaw: 0 });
    vehicle.receive(straight(1, t));
    runTo(vehicle, t, t + second - stepNs);
    expect(vehicle.drive).toBe('commanded');
    expect(vehicle.motion.speed).toBe(1);
    runTo(vehicle, t + second - stepNs, t + second);
    expect(vehicle.drive).toBe('command-timeout');
    runTo(vehicle, t + second, t + 2n * second);
    expect(vehicle.motion.speed).toBe(0);
    const there = vehicle.motion;
    runTo(vehicle, t + 2n * second, t + 10n * second);
    expect(vehicle.motion).toEqual(there);
  });

  it('goes on with a new command after it stopped', () => {
    const vehicle = new SimulatedVehicle(1, { x: 0, y: 0, yaw: 0 });
    vehicle.receive(straight(1, t));
    runTo(vehicle, t, t + 3n * second);
    vehicle.receive(straight(1, t + 3n * second));
    runTo(vehicle, t + 3n * second, t + 4n * second - stepNs);
    expect(vehicle.drive).toBe('commanded');
    expect(vehicle.motion.speed).toBe(1);
  });

  it.each([NaN, Infinity, -Infinity])('refuses a command with the number %d', (bad) => {
    const vehicle = new SimulatedVehicle(1, { x: 0, y: 0, yaw: 0 });
    expect(vehicle.receive(straight(bad, t))).toBe(false);
    expect(
      vehicle.receive({
        kind: 'trajectory',
        vehicle_id: 1,
        header: header(t),
        trajectory_points: [{ t: { nanoseconds: t }, px: 0, py: 0, vx: 0, vy: bad }],
      }),
    ).toBe(false);
    runTo(vehicle, t, t + second);
    expect(vehicle.drive).toBe('no-command-yet');
  });

  it('tells its state with the stamps of a CPM Lab vehicle', () => {
    const vehicle = new SimulatedVehicle(9, { x: 1, y: 1, yaw: 0 });
    vehicle.receive({ ...straight(1, t), vehicle_id: 9 });
    runTo(vehicle, t, t + second - stepNs);
    const state = vehicle.state(t + second);
    expect(state).toMatchObject({
      vehicle_id: 9,
      header: header(t + second, t + second + 60_000_000n),
      speed: 1,
      is_real: false,
      steering_servo: 0,
    });
    expect(state.odometer_distance).toBeCloseTo(state.pose.x - 1, 9);
    expect(vehicle.observation(t)).toEqual({
      vehicle_id: 9,
      header: header(t),
      pose: state.pose,
    });
  });

  it('counts the way back as driven, and takes it off the odometer', () => {
    const vehicle = new SimulatedVehicle(1, { x: 0, y: 0, yaw: 0 });
    vehicle.receive(straight(1, t));
    runTo(vehicle, t, t + second - stepNs);
    vehicle.receive(straight(-1, t + second));
    runTo(vehicle, t + second - stepNs, t + 2n * second);
    expect(vehicle.drivenM).toBeGreaterThan(1);
    expect(vehicle.state(t).odometer_distance).toBeCloseTo(vehicle.motion.x, 9);
    expect(vehicle.state(t).odometer_distance).toBeLessThan(0.6);
  });
});
