import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { QosPolicies, TransportWriter } from '../../../src/ports/index.js';
import type { EmergencySample, HangStop, Pacer } from '../../../src/dds/index.js';
import { topics, type VehicleCommandDirect } from '../../../src/messages/index.js';
import { openDds, type DdsFixture } from '../../support/dds-fixture.js';
import { hang, tick } from '../../support/pacer-waits.js';
import { waitUntil } from '../../support/wait-until.js';

const topic = topics.vehicleCommandDirect;
const qos: QosPolicies = {
  reliability: { kind: 'reliable' },
  history: { kind: 'keep-all' },
};
const ms = 1_000_000n;
/** Longer than a busy machine keeps this thread from its beat, where no hang is wanted. */
const longNs = 10_000n * ms;
const validAheadNs = 7n * ms;

let dds: DdsFixture;
let pacer: Pacer;
let writer: TransportWriter;
let received: { command: VehicleCommandDirect; atNs: bigint }[];
let hangs: HangStop[];
/** What happened, in its order. */
let events: string[];

beforeEach(async () => {
  dds = openDds();
  [received, hangs, events] = [[], [], []];
  const reader = dds.join().createReader(topic, qos, {
    onSample: ({ bytes, receivedAtNs }) => {
      received.push({ command: topic.codec.decode(bytes), atNs: receivedAtNs });
      events.push('received');
    },
  });
  writer = dds.join().createWriter(topic, qos);
  pacer = dds.context.createPacer();
  pacer.emergencyStop.onSentByHang((hang) => {
    hangs.push(hang);
    events.push('hang');
  });
  await waitUntil(() => reader.matchedWriters === 1 && writer.matchedReaders === 1);
});

afterEach(() => {
  dds.context.close();
  expect(dds.faults).toEqual([]);
});

function encoded(vehicleId: number, createStampNs = 0n, validAfterNs = 0n): Uint8Array {
  return topic.codec.encode({
    ...topic.codec.zero(),
    vehicle_id: vehicleId,
    header: {
      create_stamp: { nanoseconds: createStampNs },
      valid_after_stamp: { nanoseconds: validAfterNs },
    },
  });
}

/** Where an integer with these bytes lies in a sample of the topic. */
function offsetOf(sample: Uint8Array): number {
  return Buffer.from(sample).indexOf(Buffer.alloc(8, 0xaa));
}

const mark = 0xaaaa_aaaa_aaaa_aaaan;
const createStampOffset = offsetOf(encoded(0, mark));
const validAfterOffset = offsetOf(encoded(0, 0n, mark));

function stop(vehicleId: number, values: Partial<EmergencySample> = {}): EmergencySample {
  return {
    writer,
    bytes: encoded(vehicleId),
    patches: [
      { offset: createStampOffset, deltaNs: 0n },
      { offset: validAfterOffset, deltaNs: validAheadNs },
    ],
    floorNs: 0n,
    ...values,
  };
}

/** The vehicle and the stamp of what was received, in its order. */
const stamps = () =>
  received.map(({ command: { vehicle_id, header } }): [number, bigint] => [
    vehicle_id,
    header.create_stamp.nanoseconds,
  ]);

/** The stamps of one vehicle rise from sample to sample. */
function expectRising(vehicleId: number): void {
  const ofVehicle = stamps().flatMap(([id, stamp]) => (id === vehicleId ? [stamp] : []));
  const rising = [...new Set(ofVehicle)].toSorted((a, b) => (a < b ? -1 : 1));
  expect(ofVehicle).toEqual(rising);
}

describe('a blocking emergency stop', () => {
  it('puts no time ahead of the clock of the receiver', async () => {
    const { emergencyStop } = pacer;
    const { clocks } = dds.context;
    // As when the wall clock was set forward by 10 s after the sample had been made.
    const clockOffsetNs = clocks.realtimeNs() - clocks.monotonicNs() - 10_000_000_000n;
    const patches = [
      { offset: createStampOffset, deltaNs: 0n },
      { offset: validAfterOffset, deltaNs: validAheadNs, isTime: true },
    ];
    const beforeNs = clocks.realtimeNs();
    emergencyStop.set(1, stop(11, { patches, clockOffsetNs }));
    emergencyStop.sendBlocking(0n, 0n);
    const afterNs = clocks.realtimeNs();
    await waitUntil(() => received.length === 1);
    const { create_stamp, valid_after_stamp } = received[0]?.command.header ?? expect.fail('none');
    expect(create_stamp.nanoseconds).toBeGreaterThanOrEqual(beforeNs);
    const aheadNs = validAheadNs - 10_000_000_000n;
    expect(valid_after_stamp.nanoseconds).toBeGreaterThan(beforeNs + aheadNs - 1_000_000n);
    expect(valid_after_stamp.nanoseconds).toBeLessThan(afterNs + aheadNs + 1_000_000n);
  });

  it('writes all samples in the order of their keys, with the time, before it returns', async () => {
    const { emergencyStop } = pacer;
    expect(emergencyStop.set(2, stop(12))).toBe(true);
    emergencyStop.set(1, stop(11));
    const beforeNs = dds.context.clocks.realtimeNs();
    expect(emergencyStop.sendBlocking(0n, 0n)).toBe(2);
    const afterNs = dds.context.clocks.realtimeNs();
    await waitUntil(() => received.length === 2);
    expect(received.map(({ command }) => command.vehicle_id)).toEqual([11, 12]);
    for (const { command } of received) {
      const { create_stamp, valid_after_stamp } = command.header;
      expect(create_stamp.nanoseconds).toBeGreaterThanOrEqual(beforeNs);
      expect(create_stamp.nanoseconds).toBeLessThanOrEqual(afterNs);
      expect(valid_after_stamp.nanoseconds - create_stamp.nanoseconds).toBe(validAheadNs);
    }
  });

  it('leaves out the samples that are for a hang', async () => {
    const { emergencyStop } = pacer;
    emergencyStop.set(1, stop(11, { occasion: 'afterHang' }));
    emergencyStop.set(2, stop(12, { occasion: 'atOnce' }));
    emergencyStop.set(3, stop(13));
    emergencyStop.set(4, stop(14, { occasion: 'unlessSuspended' }));
    expect(emergencyStop.sendBlocking(0n, 0n)).toBe(3);
    await waitUntil(() => received.length === 3);
    expect(received.map(({ command }) => command.vehicle_id)).toEqual([12, 13, 14]);
  });

  it('repeats them with rising stamps for as long as it is asked to, and blocks so long', async () => {
    pacer.emergencyStop.set(1, stop(1));
    const begin = performance.now();
    const written = pacer.emergencyStop.sendBlocking(20n * ms, 60n * ms);
    const tookMs = performance.now() - begin;
    expect(tookMs).toBeGreaterThanOrEqual(40);
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThanOrEqual(4);
    expect(pacer.emergencyStop.sendBlocking(0n, 0n)).toBe(1);
    await waitUntil(() => received.length > written);
    await tick(pacer, dds.context.clocks, 0);
    expect(received).toHaveLength(written + 1);
    expectRising(1);
  });

  it('stamps above the floor, each time more, also after the sample was replaced', async () => {
    const floorNs = dds.context.clocks.realtimeNs() + 3600n * 1000n * ms;
    const { emergencyStop } = pacer;
    emergencyStop.set(1, stop(1, { floorNs }));
    emergencyStop.sendBlocking(0n, 0n);
    emergencyStop.sendBlocking(0n, 0n);
    emergencyStop.set(1, stop(2));
    emergencyStop.sendBlocking(0n, 0n);
    await waitUntil(() => received.length === 3);
    expect(stamps()).toEqual([
      [1, floorNs],
      [1, floorNs + 1n],
      [2, floorNs + 2n],
    ]);
  });

  for (const isForeign of [false, true]) {
    const of = isForeign ? 'another transport' : 'this one';
    it(`stamps with the simulated time by a writer of ${of}, at least with the floor`, async () => {
      const { emergencyStop } = pacer;
      const foreign: Partial<TransportWriter> = { topic, write: (bytes) => writer.write(bytes) };
      const by = isForeign ? (foreign as TransportWriter) : writer;
      const patches = [
        { offset: createStampOffset, deltaNs: 0n },
        { offset: validAfterOffset, deltaNs: validAheadNs, isTime: true },
      ];
      emergencyStop.setTime(5n);
      emergencyStop.set(1, stop(11, { writer: by, patches, floorNs: 100n }));
      emergencyStop.sendBlocking(0n, 0n);
      emergencyStop.setTime(1000n);
      emergencyStop.sendBlocking(0n, 0n);
      emergencyStop.sendBlocking(0n, 0n);
      await waitUntil(() => received.length === 3);
      expect(stamps()).toEqual([100n, 1000n, 1001n].map((ns) => [11, ns]));
      const valid = received.map(({ command }) => command.header.valid_after_stamp.nanoseconds);
      expect(valid).toEqual([100n, 1000n, 1001n].map((ns) => ns + validAheadNs));
    });
  }

  it('writes a sample without places as it is', async () => {
    const bytes = encoded(9, 123n, 456n);
    pacer.emergencyStop.set(1, stop(9, { bytes, patches: [] }));
    expect(pacer.emergencyStop.sendBlocking(0n, 0n)).toBe(1);
    await waitUntil(() => received.length === 1);
    expect(received[0]?.command).toEqual(topic.codec.decode(bytes));
  });

  it('leaves out what was removed, and counts only what was written', async () => {
    const second = dds.join().createWriter(topic, qos);
    const { emergencyStop } = pacer;
    emergencyStop.set(1, stop(1));
    emergencyStop.set(2, stop(2, { writer: second }));
    emergencyStop.set(3, stop(3));
    expect(emergencyStop.set(1, undefined)).toBe(true);
    second.close();
    expect(emergencyStop.sendBlocking(0n, 0n)).toBe(1);
    await waitUntil(() => received.length === 1);
    expect(stamps().map(([id]) => id)).toEqual([3]);
  });

  it('is followed by no slot of the plan', async () => {
    const sentAtNs: bigint[] = [];
    pacer.timedWriter.onSent(({ monotonicNs }) => sentAtNs.push(monotonicNs));
    const notBeforeNs = dds.context.clocks.monotonicNs() + 20n * ms;
    const slot = { index: 1, notBeforeNs, notAfterNs: notBeforeNs + longNs, value: 1n };
    pacer.timedWriter.schedule({
      plan: 1,
      writer,
      bytes: encoded(5),
      patchOffset: 12,
      slot,
      repeats: { count: 0, everyNs: ms, delayNs: 0n },
    });
    pacer.emergencyStop.sendBlocking(0n, 0n);
    const stoppedNs = dds.context.clocks.monotonicNs();
    await tick(pacer, dds.context.clocks, 40);
    // A busy machine may keep this thread from the stop until the slot has begun.
    expect(sentAtNs.filter((atNs) => atNs > stoppedNs)).toEqual([]);
  });

  it('works from an exception handler, and does nothing once the context is closed', () => {
    pacer.emergencyStop.set(1, stop(1));
    try {
      throw new Error('everything else has failed');
    } catch {
      expect(pacer.emergencyStop.sendBlocking(0n, 0n)).toBe(1);
    }
    dds.context.close();
    expect(pacer.emergencyStop.sendBlocking(1n * ms, 10n * ms)).toBe(0);
  });

  it('writes on this thread with a writer of another transport, and with no other one', async () => {
    const { emergencyStop } = pacer;
    const written: bigint[] = [];
    const foreign: Partial<TransportWriter> = {
      topic,
      write: (bytes) => {
        written.push(topic.codec.decode(bytes).header.create_stamp.nanoseconds);
      },
    };
    emergencyStop.set(1, stop(1));
    emergencyStop.set(2, stop(2));
    const writer = foreign as TransportWriter;
    expect(emergencyStop.set(1, stop(1, { writer }))).toBe(false);
    const beforeNs = dds.context.clocks.realtimeNs();
    // A machine that is busy leaves repetitions out.
    const count = emergencyStop.sendBlocking(20n * ms, 50n * ms);
    expect(written.length).toBe(count / 2);
    await waitUntil(() => received.length === written.length);
    expect(new Set(received.map(({ command }) => command.vehicle_id))).toEqual(new Set([2]));
    expect(written[0]).toBeGreaterThanOrEqual(beforeNs);
    expect(written).toEqual(written.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it('refuses a place outside of the sample and a large sample', () => {
    const { emergencyStop } = pacer;
    const { length } = encoded(1);
    for (const offset of [-1, length - 7, length]) {
      const patches = [{ offset, deltaNs: 0n }];
      expect(() => emergencyStop.set(1, stop(1, { patches }))).toThrow(RangeError);
    }
    const bytes = new Uint8Array(64 * 1024 + 1);
    expect(() => emergencyStop.set(1, stop(1, { bytes }))).toThrow(RangeError);
    expect(() => emergencyStop.sendBlocking(-1n, 0n)).toThrow(RangeError);
  });
});

describe('the hang guard', () => {
  const hangOptions = { afterNs: 100n * ms, repeatNs: 20n * ms, durationNs: 100n * ms };

  it('writes all samples by itself while this thread hangs, again and again, and reports it once', async () => {
    const { emergencyStop } = pacer;
    emergencyStop.set(1, stop(1));
    emergencyStop.set(2, stop(2, { occasion: 'afterHang' }));
    emergencyStop.set(3, stop(3, { occasion: 'atOnce' }));
    emergencyStop.set(4, stop(4, { occasion: 'unlessSuspended' }));
    const beatNs = dds.context.clocks.monotonicNs();
    // The last of them are written while this thread still hangs, on a busy machine, too.
    emergencyStop.armHangGuard({ ...hangOptions, durationNs: 400n * ms });
    hang(1000);
    const endNs = dds.context.clocks.monotonicNs();
    await waitUntil(() => hangs.length === 1);
    emergencyStop.armHangGuard({ ...hangOptions, afterNs: 0n });
    expect(hangs[0]).toMatchObject({ isComplete: true });
    expect(hangs[0]?.silentNs).toBeGreaterThanOrEqual(100n * ms);
    const first = received[0];
    expect((first?.atNs ?? 0n) - beatNs).toBeGreaterThanOrEqual(100n * ms);
    expect(first?.atNs).toBeLessThan(endNs);
    expect(received.length).toBeGreaterThanOrEqual(6);
    expect(received.length).toBeLessThanOrEqual(3 * 21);
    expect(events.indexOf('hang')).toBe(3);
    expectRising(1);
    expectRising(2);
    await tick(pacer, dds.context.clocks, 50);
    expect(hangs).toHaveLength(1);
  });

  it('writes nothing while this thread beats, or the guard is off', async () => {
    const { emergencyStop } = pacer;
    emergencyStop.set(1, stop(1));
    emergencyStop.armHangGuard({ ...hangOptions, afterNs: longNs });
    hang(50);
    emergencyStop.armHangGuard({ ...hangOptions, afterNs: 400n * ms });
    for (const end = performance.now() + 600; performance.now() < end;) emergencyStop.beat();
    emergencyStop.armHangGuard({ ...hangOptions, afterNs: 0n });
    hang(500);
    await tick(pacer, dds.context.clocks, 0);
    expect(received).toEqual([]);
    expect(hangs).toEqual([]);
  });

  it('writes nothing where a hang is only watched', async () => {
    const { emergencyStop } = pacer;
    emergencyStop.set(1, stop(1));
    emergencyStop.armHangGuard({ ...hangOptions, watchOnly: true });
    hang(300);
    await tick(pacer, dds.context.clocks, 50);
    expect(received).toEqual([]);
    expect(hangs).toEqual([]);
  });

  it('notices the next hang after a beat', async () => {
    const { emergencyStop } = pacer;
    emergencyStop.set(1, stop(1));
    emergencyStop.armHangGuard({ ...hangOptions, repeatNs: 0n });
    for (let hung = 1; hung <= 2; hung++) {
      emergencyStop.beat();
      hang(150);
      await waitUntil(() => hangs.length === hung);
    }
    expect(received).toHaveLength(2);
  });

  it('sends the slots of the plan until the hang is noticed, and drops the others', async () => {
    const { emergencyStop, timedWriter } = pacer;
    const nowNs = dds.context.clocks.monotonicNs();
    const slot = { index: 0, notBeforeNs: nowNs + 20n * ms, notAfterNs: nowNs + longNs, value: 0n };
    const repeats = { count: 1, everyNs: 580n * ms, delayNs: 0n };
    const bytes = encoded(5);
    const plan = { plan: 1, writer, bytes, patchOffset: createStampOffset, slot, repeats };
    emergencyStop.set(1, stop(1));
    timedWriter.schedule(plan);
    emergencyStop.armHangGuard({ ...hangOptions, afterNs: 400n * ms, repeatNs: 0n });
    hang(700);
    // The stop has no event yet, so no plan is taken that was made without knowing of it.
    timedWriter.schedule(plan);
    await waitUntil(() => hangs.length === 1);
    await tick(pacer, dds.context.clocks, 20);
    expect(stamps().map(([id]) => id)).toEqual([5, 1]);

    emergencyStop.armHangGuard({ ...hangOptions, afterNs: 0n });
    timedWriter.schedule(plan);
    await tick(pacer, dds.context.clocks, 20);
    expect(stamps().map(([id]) => id)).toEqual([5, 1, 5]);
  });
});
