import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransportWriter } from '../../../src/ports/index.js';
import type { Pacer, RampTimes, StopRamp } from '../../../src/dds/index.js';
import {
  commandStampOffsets,
  pathSpeedOffset,
  topics,
  type VehicleCommandPathTracking,
} from '../../../src/messages/index.js';
import { openDds, type DdsFixture } from '../../support/dds-fixture.js';
import { hang } from '../../support/pacer-waits.js';
import { waitUntil } from '../../support/wait-until.js';

const topic = topics.vehicleCommandPathTracking;
const ms = 1_000_000n;
const times: RampTimes = { afterNs: 20n * ms, repeatNs: 10n * ms, restNs: 30n * ms };
const brakingMps2 = 10;
/** Gives the thread that receives time to be behind, ms. */
const overMs = 400;

let dds: DdsFixture;
let pacer: Pacer;
let writer: TransportWriter;
let received: VehicleCommandPathTracking[];

beforeEach(async () => {
  dds = openDds();
  received = [];
  const reader = dds
    .join()
    .createReader(
      topic,
      { reliability: { kind: 'reliable' }, history: { kind: 'keep-all' } },
      { onSample: ({ bytes }) => received.push(topic.codec.decode(bytes)) },
    );
  writer = dds.join().createWriter(topic, {
    reliability: { kind: 'reliable' },
    history: { kind: 'keep-all' },
  });
  pacer = dds.context.createPacer();
  await waitUntil(() => reader.matchedWriters === 1 && writer.matchedReaders === 1);
});

afterEach(() => {
  dds.context.close();
  expect(dds.faults).toEqual([]);
});

const path = [1, 2, 3].map((x) => ({ pose: { x, y: 0, yaw: 0 }, s: x }));

function ramp(vehicleId: number, speedMps: number): StopRamp {
  const bytes = topic.codec.encode({
    ...topic.codec.zero(),
    vehicle_id: vehicleId,
    path,
    speed: speedMps,
  });
  const { create, validAfter } = commandStampOffsets;
  const patches = [create, validAfter].map((offset) => ({ offset, deltaNs: 0n }));
  const sample = { writer, bytes, patches, floorNs: 0n };
  return { sample, speedOffset: pathSpeedOffset(path.length), speedMps, brakingMps2 };
}

/** Settles when all is received that was written before. */
async function allReceived(): Promise<void> {
  const last = 99;
  writer.write(ramp(last, 0).sample.bytes);
  await waitUntil(() => received.at(-1)?.vehicle_id === last);
  received.pop();
}

const speedsOf = (id: number) =>
  received.flatMap(({ vehicle_id, speed }) => (vehicle_id === id ? [speed] : []));

describe('the ramp of a stop', () => {
  it('goes on with falling speeds and new stamps until rest while this thread is held up', async () => {
    const { clocks } = dds.context;
    const beforeNs = clocks.monotonicNs();
    const stampedFromNs = clocks.realtimeNs();
    pacer.stopRamps.set(1, ramp(1, 1), times);
    pacer.stopRamps.set(2, ramp(2, -1), times);
    pacer.stopRamps.set(3, ramp(3, 0), times);
    hang(overMs);
    const passedS = Number(clocks.monotonicNs() - beforeNs) / 1e9;
    await allReceived();
    expect(speedsOf(1).at(-1)).toBe(0);
    expect(speedsOf(2).at(-1)).toBe(-0);
    expect(new Set(speedsOf(3))).toEqual(new Set([0]));
    const forwards = speedsOf(1);
    expect(forwards).toEqual(forwards.toSorted((a, b) => b - a));
    expect(forwards[0]).toBeLessThanOrEqual(1 - brakingMps2 * 0.02);
    expect(forwards[0]).toBeGreaterThan(1 - brakingMps2 * passedS);
    expect(speedsOf(2).every((speed) => speed <= 0)).toBe(true);
    expect(received.every((command) => command.path.length === path.length)).toBe(true);
    const stamps = received.flatMap(({ vehicle_id, header }) =>
      vehicle_id === 1 ? [header.create_stamp.nanoseconds] : [],
    );
    expect(stamps).toEqual(stamps.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(stamps[0]).toBeGreaterThanOrEqual(stampedFromNs + times.afterNs);
    for (const { header } of received) {
      expect(header.valid_after_stamp).toEqual(header.create_stamp);
    }
  });

  it('ends some time after rest', async () => {
    pacer.stopRamps.set(1, ramp(1, 0.1), times);
    hang(overMs);
    await allReceived();
    const { length } = received;
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(4);
    hang(overMs);
    await allReceived();
    expect(received.length).toBe(length);
  });

  it('writes nothing while this thread sets it anew, and once it is removed', async () => {
    // Longer than a busy machine keeps this thread from its next call.
    const soon = { ...times, afterNs: 1000n * ms };
    pacer.stopRamps.set(1, ramp(1, 20), soon);
    pacer.stopRamps.set(1, ramp(1, 20), { ...times, afterNs: 30_000n * ms });
    pacer.stopRamps.set(2, ramp(2, 20), soon);
    pacer.stopRamps.remove(2);
    pacer.stopRamps.remove(3);
    hang(1200);
    await allReceived();
    expect(received).toEqual([]);
  });

  it('is over when a hang counts, and with a blocking emergency stop', async () => {
    const { emergencyStop, stopRamps } = pacer;
    const never = { ...times, afterNs: 200n * ms };
    stopRamps.set(1, ramp(1, 4), never);
    expect(emergencyStop.sendBlocking(0n, 0n)).toBe(0);
    hang(overMs);
    stopRamps.set(2, ramp(2, 4), never);
    emergencyStop.armHangGuard({ afterNs: 50n * ms, repeatNs: 0n, durationNs: 0n });
    hang(overMs);
    await allReceived();
    expect(received).toEqual([]);
  });

  it('refuses a speed that does not go to 0, and a place outside of the sample', () => {
    const set = (values: Partial<StopRamp>) => () =>
      pacer.stopRamps.set(1, { ...ramp(1, 1), ...values }, times);
    expect(set({ speedMps: NaN })).toThrow('does not go to 0');
    expect(set({ brakingMps2: 0 })).toThrow('does not go to 0');
    expect(set({ speedOffset: 10_000 })).toThrow('outside');
    expect(set({ speedOffset: -1 })).toThrow('outside');
    pacer.close();
    expect(set({})).toThrow(expect.objectContaining({ code: 'HLC_CLOSED' }));
  });
});
