import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/core/index.js';
import type { StopRamp, StopRamps } from '../../../src/dds/index.js';
import { pathSpeedOffset, topics } from '../../../src/messages/index.js';
import { HeldUpStops } from '../../../src/node/middleware/held-up-stops.js';
import type { TransportWriter } from '../../../src/ports/index.js';
import { encodeCommand } from '../../../src/sides/index.js';

const nowNs = 1_000_000_000_000n;
const ms = 1_000_000n;
const { codec } = topics.vehicleCommandPathTracking;

function heldUp(carried = true) {
  const ramps = new Map<number, StopRamp>();
  const stopRamps: StopRamps = {
    set: (key, ramp) => {
      if (carried) ramps.set(key, ramp);
      return carried;
    },
    remove: (key) => ramps.delete(key),
  };
  const writer = {} as TransportWriter;
  const clocks = { monotonicNs: () => 0n, realtimeNs: () => nowNs };
  const stops = new HeldUpStops({ ramps: stopRamps, writer, brakingMps2: 2, clocks });
  return { stops, ramps };
}

interface Stamps {
  readonly createNs?: bigint;
  readonly validNs?: bigint;
}

function onPath(
  id: number,
  speed: number,
  { createNs = nowNs, validNs = nowNs }: Stamps = {},
  points = 3,
): Command {
  const path = Array.from({ length: points }, (_, s) => ({ pose: { x: s, y: 0, yaw: 0 }, s }));
  const header = {
    create_stamp: { nanoseconds: createNs },
    valid_after_stamp: { nanoseconds: validNs },
  };
  return { kind: 'pathTracking', message: { vehicle_id: id, header, path, speed } };
}

describe('a stop on a path', () => {
  it('has a ramp from its last command on, with the place of its speed', () => {
    const { stops, ramps } = heldUp();
    stops.commanded(onPath(7, 1.5));
    stops.commanded(onPath(7, -1.4));
    const ramp = ramps.get(7);
    expect(ramp).toMatchObject({ speedMps: -1.4, brakingMps2: 2 });
    const bytes = Uint8Array.from(ramp?.sample.bytes ?? []);
    new DataView(bytes.buffer).setFloat64(ramp?.speedOffset ?? 0, 0.25, true);
    expect(codec.decode(bytes)).toMatchObject({ vehicle_id: 7, speed: 0.25 });
  });

  it('goes on by the clock of its vehicle, which may not have been set forward with this one', () => {
    const { stops, ramps } = heldUp();
    const validNs = nowNs - 10_000n * ms;
    stops.commanded(onPath(7, 1.5, { validNs }));
    const { clockOffsetNs, patches = [] } = ramps.get(7)?.sample ?? {};
    expect(clockOffsetNs).toBe(validNs);
    expect(patches.map(({ isTime = false }) => isTime)).toEqual([false, true]);
  });

  it.each([0, 1, 2, 100])('has its speed after %i points', (points) => {
    const bytes = encodeCommand(onPath(1, 3.5, {}, points));
    expect(bytes.length).toBe(pathSpeedOffset(points) + 8);
    expect(
      new DataView(bytes.buffer, bytes.byteOffset).getFloat64(pathSpeedOffset(points), true),
    ).toBe(3.5);
  });

  it('is repeated at speed 0, which another program may outrank', () => {
    const { stops, ramps } = heldUp();
    stops.commanded(onPath(1, 1));
    stops.commanded(onPath(1, 0));
    stops.commanded(onPath(2, 0));
    expect([...ramps.values()]).toMatchObject([{ speedMps: 0 }, { speedMps: 0 }]);
    expect(stops.isAny).toBe(true);
  });

  it('has no ramp once its vehicle is released', () => {
    const { stops, ramps } = heldUp();
    stops.commanded(onPath(2, 1));
    stops.commanded(onPath(3, 1));
    stops.released(2);
    expect([...ramps.keys()]).toEqual([3]);
    stops.close();
    expect(ramps.size).toBe(0);
  });

  it('keeps its ramp when a command follows that holds later, or is of another kind', () => {
    const { stops, ramps } = heldUp();
    stops.commanded(onPath(1, 1));
    stops.commanded(onPath(1, 0, { validNs: nowNs + 500n * ms }));
    const { header } = onPath(1, 0).message;
    const still = { vehicle_id: 1, header, speed: 0, curvature: 0 };
    stops.commanded({ kind: 'speedCurvature', message: still });
    expect(ramps.get(1)?.speedMps).toBe(1);
  });

  it('has none where the repetitions would not outrank it, or where the sample is too long', () => {
    const { stops, ramps } = heldUp();
    stops.commanded(onPath(1, 1, { createNs: nowNs + 10n * ms }));
    expect([...ramps.keys()]).toEqual([1]);
    stops.commanded(onPath(1, 0.9, { createNs: nowNs + 60n * ms }));
    stops.commanded(onPath(2, 0.9, {}, 2100));
    expect(ramps.size).toBe(0);
  });

  it('asks for no removal of a ramp that cannot be written by another thread', () => {
    const { stops, ramps } = heldUp(false);
    stops.commanded(onPath(1, 1));
    stops.released(1);
    stops.close();
    expect(ramps.size).toBe(0);
  });
});
