import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curvatureOf, stepBicycle, type BicycleState } from '../../../src/lab/bicycle-model.js';
import { trackCommand } from '../../../src/lab/command-tracker.js';
import { tracks } from '../../../src/lab/index.js';
import { modelCar } from '../../../src/lab/model-car.js';
import type { TrajectoryPoint } from '../../../src/messages/index.js';
import type { VehicleCommand } from '../../../src/sides/index.js';
import { header, ovalPath, straight } from './commands.js';

const dt = 0.02;
const stepNs = 20_000_000n;
const start = 1_000_000_000_000n;
const atRest: BicycleState = { x: 0, y: 0, yaw: 0, speed: 0, steeringAngle: 0 };

/** The motion at every step of a vehicle that obeys one command. */
function drive(command: VehicleCommand, from: BicycleState, seconds: number): BicycleState[] {
  const states = [from];
  let state = from;
  for (let i = 0; i < seconds / dt; i++) {
    const now = start + BigInt(i) * stepNs;
    const input = trackCommand(command, state, now, dt, modelCar);
    state = stepBicycle(state, input, dt, modelCar);
    states.push(state);
  }
  return states;
}

const speedCurvature = (speed: number, curvature: number): VehicleCommand => ({
  kind: 'speedCurvature',
  message: { vehicle_id: 1, header: header(start), speed, curvature },
});
const trajectory = (trajectory_points: TrajectoryPoint[]): VehicleCommand => ({
  kind: 'trajectory',
  message: { vehicle_id: 1, header: header(start), trajectory_points },
});

/** Points on the oval every 200 ms at a speed (m/s), from 200 ms before the start. */
function ovalTrajectory(speed: number, seconds: number): TrajectoryPoint[] {
  return Array.from({ length: seconds * 5 + 2 }, (_, index) => {
    const after = (index - 1) * 0.2;
    const pose = tracks.oval.poseAt(after * speed);
    return {
      t: { nanoseconds: start + BigInt(Math.round(after * 1e9)) },
      px: pose.x,
      py: pose.y,
      vx: speed * Math.cos(pose.yaw),
      vy: speed * Math.sin(pose.yaw),
    };
  });
}

const distanceTo = (state: BicycleState, point: { x: number; y: number }) =>
  Math.hypot(state.x - point.x, state.y - point.y);
const distanceToOval = (state: BicycleState) =>
  Math.min(
    ...Array.from({ length: 2000 }, (_, i) =>
      distanceTo(state, tracks.oval.poseAt((i * tracks.oval.length) / 2000)),
    ),
  );

describe('a vehicle that tracks a command', () => {
  it('comes to a speed and a curvature and keeps them', () => {
    const end = drive(speedCurvature(1.2, -0.8), atRest, 3).at(-1);
    expect(end?.speed).toBeCloseTo(1.2, 9);
    expect(Math.tan(end?.steeringAngle ?? NaN) / modelCar.wheelbase).toBeCloseTo(-0.8, 9);
  });

  it('drives backwards at a negative speed', () => {
    const end = drive(speedCurvature(-0.5, 0), atRest, 2).at(-1);
    expect(end?.speed).toBeCloseTo(-0.5, 9);
    expect(end?.x).toBeLessThan(-0.5);
  });

  it('speeds up with throttle and turns left with positive steering', () => {
    const command: VehicleCommand = {
      kind: 'direct',
      message: { vehicle_id: 1, header: header(start), motor_throttle: 0.2, steering_servo: 0.3 },
    };
    const end = drive(command, atRest, 1).at(-1);
    expect(end?.speed).toBeGreaterThan(0.3);
    expect(end?.yaw).toBeGreaterThan(0.1);
  });

  it('stays within 2 cm of a trajectory that it begins on', () => {
    const states = drive(
      trajectory(ovalTrajectory(1, 14)),
      { ...atRest, ...tracks.oval.poseAt(0) },
      13.5,
    );
    // From rest it needs two seconds to catch up.
    for (const [index, state] of states.entries()) {
      if (index * dt > 2)
        expect(distanceTo(state, tracks.oval.poseAt(index * dt))).toBeLessThan(0.02);
    }
  });

  it('comes to a trajectory from 30 cm beside it', () => {
    const pose = tracks.oval.poseAt(0);
    const from = { ...atRest, ...pose, y: pose.y + 0.3 };
    const states = drive(trajectory(ovalTrajectory(0.8, 6)), from, 5);
    expect(distanceTo(states.at(-1) ?? from, tracks.oval.poseAt(5 * 0.8))).toBeLessThan(0.02);
  });

  it('stands still when its trajectory is too far away', () => {
    const from = { ...atRest, ...tracks.oval.poseAt(0), x: 0.5, y: 3.5 };
    expect(drive(trajectory(ovalTrajectory(0.8, 6)), from, 5).at(-1)).toEqual(from);
  });

  it('brakes to a standstill when the trajectory has ended', () => {
    const end = drive(
      trajectory(ovalTrajectory(1, 2)),
      { ...atRest, ...tracks.oval.poseAt(0), speed: 1 },
      4,
    ).at(-1);
    expect(end?.speed).toBe(0);
  });

  it.each([
    ['no points', []],
    ['one point', ovalTrajectory(1, 1).slice(0, 1)],
    ['no point in the past', ovalTrajectory(1, 3).slice(2)],
    [
      'points all at the same time',
      ovalTrajectory(1, 1).map((p) => ({ ...p, t: { nanoseconds: start } })),
    ],
  ])('brakes with a trajectory that has %s', (_, points) => {
    const state = { ...atRest, ...tracks.oval.poseAt(0), speed: 1 };
    const input = trackCommand(trajectory(points), state, start, dt, modelCar);
    expect(input).toEqual(trackCommand(null, state, start, dt, modelCar));
  });

  it('waits on a trajectory that stands still', () => {
    const pose = tracks.oval.poseAt(1);
    const points = [-1n, 1n, 9n].map((s) => ({
      t: { nanoseconds: start + s * 1_000_000_000n },
      px: pose.x,
      py: pose.y,
      vx: 0,
      vy: 0,
    }));
    const end = drive(trajectory(points), { ...atRest, ...pose }, 5).at(-1);
    expect(end).toEqual({ ...atRest, ...pose });
  });

  it.each([16, 40, 200])('follows a path of %i segments within 3 cm for a round', (segments) => {
    const command: VehicleCommand = {
      kind: 'pathTracking',
      message: { vehicle_id: 1, header: header(start), path: ovalPath(segments), speed: 0.8 },
    };
    const states = drive(command, { ...atRest, ...tracks.oval.poseAt(0) }, 15);
    for (const state of states) expect(distanceToOval(state)).toBeLessThan(0.03);
    const driven = states.reduce((sum, { speed }) => sum + speed * dt, 0);
    expect(driven).toBeGreaterThan(tracks.oval.length);
  });

  it('steers as a coarse path bends, wherever it is on it', () => {
    const angle = (index: number) => ((index % 8) * Math.PI) / 4;
    const command: VehicleCommand = {
      kind: 'pathTracking',
      message: {
        vehicle_id: 1,
        header: header(start),
        path: Array.from({ length: 9 }, (_, index) => ({
          pose: {
            x: Math.sin(angle(index)),
            y: -Math.cos(angle(index)),
            yaw: angle(index),
          },
          s: (index * Math.PI) / 4,
        })),
        speed: 1,
      },
    };
    fc.assert(
      fc.property(fc.double({ min: -3.1, max: 3.1, noNaN: true }), (yaw) => {
        const state = { ...atRest, x: Math.sin(yaw), y: -Math.cos(yaw), yaw };
        const { steeringAngle } = trackCommand(command, state, start, dt, modelCar);
        expect(Math.abs(curvatureOf(steeringAngle, modelCar.wheelbase) - 1)).toBeLessThan(0.1);
      }),
    );
  });

  it('comes to a path from anywhere near it, at any heading', () => {
    const command: VehicleCommand = {
      kind: 'pathTracking',
      message: { vehicle_id: 1, header: header(start), path: ovalPath(40), speed: 0.6 },
    };
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 10, noNaN: true }),
        fc.double({ min: -0.5, max: 0.5, noNaN: true }),
        fc.double({ min: -Math.PI, max: Math.PI, noNaN: true }),
        (s, offset, yaw) => {
          const on = tracks.oval.poseAt(s);
          const from = {
            ...atRest,
            x: on.x - offset * Math.sin(on.yaw),
            y: on.y + offset * Math.cos(on.yaw),
            yaw,
          };
          const end = drive(command, from, 15).at(-1) ?? from;
          expect(distanceToOval(end)).toBeLessThan(0.03);
          expect(end.speed).toBeCloseTo(0.6, 9);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('stands still with a path of one point, and with a negative speed along a path', () => {
    const path = (points: number, speed: number): VehicleCommand => ({
      kind: 'pathTracking',
      message: { vehicle_id: 1, header: header(start), path: ovalPath(40).slice(0, points), speed },
    });
    expect(drive(path(1, 1), atRest, 1).at(-1)).toEqual(atRest);
    expect(drive(path(41, -1), { ...atRest, ...tracks.oval.poseAt(0) }, 1).at(-1)).toMatchObject(
      tracks.oval.poseAt(0),
    );
  });

  it('brakes without a command', () => {
    const input = trackCommand(null, { ...atRest, speed: 1 }, start, dt, modelCar);
    expect(input.acceleration).toBeLessThan(0);
    expect(input.steeringAngle).toBe(0);
  });

  it('has finite inputs for every finite command', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const stamp = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    const point = fc.record({
      t: fc.record({ nanoseconds: fc.oneof(stamp, fc.constantFrom(start - 1n, start + 1n)) }),
      px: number,
      py: number,
      vx: number,
      vy: number,
    });
    const pose = fc.record({ x: number, y: number, yaw: number });
    const common = { vehicle_id: fc.constant(1), header: fc.constant(header(start)) };
    const command = fc.oneof(
      fc.record({
        kind: fc.constant('direct' as const),
        message: fc.record({ ...common, motor_throttle: number, steering_servo: number }),
      }),
      fc.record({
        kind: fc.constant('speedCurvature' as const),
        message: fc.record({ ...common, speed: number, curvature: number }),
      }),
      fc.record({
        kind: fc.constant('trajectory' as const),
        message: fc.record({ ...common, trajectory_points: fc.array(point, { maxLength: 6 }) }),
      }),
      fc.record({
        kind: fc.constant('pathTracking' as const),
        message: fc.record({
          ...common,
          path: fc.array(fc.record({ pose, s: number }), { maxLength: 6 }),
          speed: number,
        }),
      }),
    );
    fc.assert(
      fc.property(command, (anything) => {
        const input = trackCommand(anything, { ...atRest, speed: 0.5 }, start, dt, modelCar);
        expect(Number.isFinite(input.acceleration)).toBe(true);
        expect(Number.isFinite(input.steeringAngle)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('goes straight on with curvature 0', () => {
    const end = drive(straight(1, start), atRest, 2).at(-1);
    expect(end?.y).toBe(0);
    expect(end?.x).toBeGreaterThan(1.7);
  });
});
