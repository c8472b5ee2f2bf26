import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/core/index.js';
import { repeatedCommand, stopCommand } from '../../../../src/core/supervision/vehicle-commands.js';
import { base, MS, S, speedCommand } from '../support.js';

const t0 = 1_700_000_000n * S;
/** Braking has lasted so long; the clock of the stamps was set by so much meanwhile. */
const at = (lastedNs: bigint, stepNs = 0n) => ({
  fromNs: t0,
  lastedNs,
  nowNs: t0 + lastedNs + stepNs,
  brakingMps2: 2,
});
const header = (tNs: bigint) => ({
  create_stamp: { nanoseconds: tNs },
  valid_after_stamp: { nanoseconds: tNs },
});

describe('a stop command', () => {
  it('takes the throttle away and keeps the steering', () => {
    const last: Command = {
      kind: 'direct',
      message: { ...base(3, t0), motor_throttle: 0.4, steering_servo: -0.2 },
    };
    expect(stopCommand(last, at(70n * MS))).toEqual({
      kind: 'direct',
      message: {
        vehicle_id: 3,
        header: header(t0 + 70n * MS),
        motor_throttle: 0,
        steering_servo: -0.2,
      },
    });
  });

  it('takes the speed away and keeps the curvature', () => {
    const command = speedCommand(3, t0);
    const last: Command = { ...command, message: { ...command.message, curvature: 0.7 } };
    expect(stopCommand(last, at(0n))).toEqual({
      kind: 'speedCurvature',
      message: { vehicle_id: 3, header: header(t0), speed: 0, curvature: 0.7 },
    });
  });

  it('slows down on the planned path, forwards and backwards, and then stands', () => {
    const path = [
      { pose: { x: 0, y: 0, yaw: 0 }, s: 0 },
      { pose: { x: 0, y: 0, yaw: 0 }, s: 4 },
    ];
    const speeds = (speed: number) =>
      [0n, 250n, 500n, 750n].map((ms) => {
        const message = { ...base(3, t0), path, speed };
        const stop = stopCommand({ kind: 'pathTracking', message }, at(ms * MS));
        expect(stop.message).toMatchObject({ path });
        return stop.kind === 'pathTracking' ? stop.message.speed : null;
      });
    expect(speeds(1)).toEqual([1, 0.5, 0, 0]);
    expect(speeds(-1)).toEqual([-1, -0.5, -0, -0]);
  });

  it('ends a trajectory at rest', () => {
    const trajectory_points = [0n, 1n, 2n].map((s) => ({
      t: { nanoseconds: t0 + s * S },
      px: Number(s),
      py: 0,
      vx: 1,
      vy: 0,
    }));
    const message = { ...base(3, t0), trajectory_points };
    const stop = stopCommand({ kind: 'trajectory', message }, at(0n));
    if (stop.kind !== 'trajectory') throw new Error('another type of command');
    expect(stop.message.header).toEqual(header(t0));
    expect(stop.message.trajectory_points.at(-1)).toMatchObject({ vx: 0, vy: 0 });
    expect(stop.message.trajectory_points.at(-1)?.px).toBeCloseTo(0.25, 6);
  });
});

describe('a stop command after a step of the wall clock', () => {
  const hour = 3600n * S;

  it.each([hour, -hour])('by %s ns slows down as before', (stepNs) => {
    const path = [
      { pose: { x: 0, y: 0, yaw: 0 }, s: 0 },
      { pose: { x: 0, y: 0, yaw: 0 }, s: 4 },
    ];
    const last: Command = { kind: 'pathTracking', message: { ...base(3, t0), path, speed: 1 } };
    const stop = stopCommand(last, at(250n * MS, stepNs));
    expect(stop.message).toMatchObject({ speed: 0.5, header: header(t0 + 250n * MS + stepNs) });
  });

  it.each([hour, -hour])('by %s ns goes on with the same profile at the times of now', (stepNs) => {
    const trajectory_points = [-1n, 0n, 1n, 2n].map((s) => ({
      t: { nanoseconds: t0 + s * S },
      px: Number(s),
      py: 0,
      vx: 1,
      vy: 0,
    }));
    const last: Command = { kind: 'trajectory', message: { ...base(3, t0), trajectory_points } };
    const pointsOf = (command: Command) =>
      command.kind === 'trajectory' ? command.message.trajectory_points : [];
    const before = pointsOf(stopCommand(last, at(250n * MS)));
    const after = pointsOf(stopCommand(last, at(250n * MS, stepNs)));
    const shifted = before.map((p) => ({ ...p, t: { nanoseconds: p.t.nanoseconds + stepNs } }));
    expect(after).toEqual(shifted);
  });
});

describe('a repeated command', () => {
  it('is the last one, made now', () => {
    const last = speedCommand(3, t0);
    expect(repeatedCommand(last, t0 + S)).toEqual(speedCommand(3, t0 + S));
  });

  it('is none when the trajectory is over', () => {
    const point = { t: { nanoseconds: t0 + S }, px: 0, py: 0, vx: 0, vy: 0 };
    const message = { ...base(3, t0), trajectory_points: [point] };
    expect(repeatedCommand({ kind: 'trajectory', message }, t0 + S - 1n)).not.toBeNull();
    expect(repeatedCommand({ kind: 'trajectory', message }, t0 + S)).toBeNull();
  });
});
