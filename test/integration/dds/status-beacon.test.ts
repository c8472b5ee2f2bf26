import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HlcError } from '../../../src/errors/index.js';
import type { TransportWriter } from '../../../src/ports/index.js';
import type { EmergencySample, Pacer } from '../../../src/dds/index.js';
import { topics } from '../../../src/messages/index.js';
import { openDds, type DdsFixture } from '../../support/dds-fixture.js';
import { hang, tick } from '../../support/pacer-waits.js';
import { waitUntil } from '../../support/wait-until.js';

const topic = topics.systemTrigger;
const qos = {
  reliability: { kind: 'reliable' },
  history: { kind: 'keep-all' },
} as const;
const ms = 1_000_000n;
const intervalNs = 20n * ms;

let dds: DdsFixture;
let pacer: Pacer;
let writer: TransportWriter;
let received: { valueNs: bigint; atNs: bigint }[];
let failures: HlcError[];

beforeEach(async () => {
  dds = openDds();
  [received, failures] = [[], []];
  const reader = dds.join().createReader(topic, qos, {
    onSample: ({ bytes, receivedAtNs }) => {
      const { next_start } = topic.codec.decode(bytes);
      received.push({ valueNs: next_start.nanoseconds, atNs: receivedAtNs });
    },
  });
  writer = dds.join().createWriter(topic, qos, { onWriteFailed: (error) => failures.push(error) });
  pacer = dds.context.createPacer();
  await waitUntil(() => reader.matchedWriters === 1 && writer.matchedReaders === 1);
});

afterEach(() => {
  dds.context.close();
  expect(dds.faults).toEqual([]);
});

/** Its value is the wall clock plus this. */
function beacon(deltaNs = 0n, values: Partial<EmergencySample> = {}): EmergencySample {
  const bytes = topic.codec.encode({ next_start: { nanoseconds: 0n } });
  return { writer, bytes, patches: [{ offset: 4, deltaNs }], floorNs: 0n, ...values };
}

describe('the status beacon', () => {
  it('is written at once', async () => {
    pacer.statusBeacon.set(beacon(), 3_600_000n * ms);
    await waitUntil(() => received.length === 1);
  });

  it('is written at every interval, with the time, without JavaScript', async () => {
    const beginNs = dds.context.clocks.realtimeNs();
    expect(pacer.statusBeacon.set(beacon(), intervalNs)).toBe(true);
    hang(400);
    pacer.statusBeacon.set(undefined, intervalNs);
    const endNs = dds.context.clocks.realtimeNs();
    await tick(pacer, dds.context.clocks, 0);
    for (const { valueNs } of received) {
      expect(valueNs).toBeGreaterThanOrEqual(beginNs);
      expect(valueNs).toBeLessThanOrEqual(endNs);
    }
    expect(received.length).toBeGreaterThanOrEqual(3);
    expect(received.length).toBeLessThanOrEqual(Number((endNs - beginNs) / intervalNs) + 2);
    const values = received.map(({ valueNs }) => valueNs);
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => (a < b ? -1 : 1)));
    const written = received.length;
    await tick(pacer, dds.context.clocks, 60);
    expect(received).toHaveLength(written);
  });

  it.each([
    ['is stopped', false],
    ['is only watched', true],
  ])('falls silent while a thread that %s hangs, until the next beat', async (_, watchOnly) => {
    const { emergencyStop, statusBeacon } = pacer;
    emergencyStop.armHangGuard({ afterNs: 100n * ms, repeatNs: 0n, durationNs: 0n, watchOnly });
    statusBeacon.set(beacon(), intervalNs);
    hang(400);
    const endNs = dds.context.clocks.monotonicNs();
    emergencyStop.beat();
    await waitUntil(() => received.some(({ atNs }) => atNs >= endNs));
    const hung = received.filter(({ atNs }) => atNs < endNs);
    expect(hung.length).toBeGreaterThan(0);
    // As many as come before the hang is noticed; twenty if it were written all the time.
    expect(hung.length).toBeLessThanOrEqual(7);
  });

  it('is replaced at the next interval, with stamps that go on rising', async () => {
    const floorNs = dds.context.clocks.realtimeNs() + 3600n * 1000n * ms;
    const longNs = 1000n * ms;
    pacer.statusBeacon.set(beacon(0n, { floorNs }), longNs);
    hang(50);
    // The content of each of them is replaced before it is written.
    for (let i = 1; i <= 5; i++) pacer.statusBeacon.set(beacon(BigInt(i) * 1000n * ms), longNs);
    await waitUntil(() => received.length >= 2);
    expect(received[0]?.valueNs).toBe(floorNs);
    expect(received[1]?.valueNs).toBe(floorNs + 5000n * ms + 1n);
    const apartNs = (received[1]?.atNs ?? 0n) - (received[0]?.atNs ?? 0n);
    expect(apartNs).toBeGreaterThan(longNs / 2n);
  });

  it('reports the first of several failed writes, and again after one that did not fail', async () => {
    const failing = beacon(0n, { bytes: beacon().bytes.with(1, 7) });
    pacer.statusBeacon.set(failing, intervalNs);
    await waitUntil(() => failures.length === 1);
    await tick(pacer, dds.context.clocks, 60);
    expect(failures).toMatchObject([{ code: 'HLC_DDS_WRITE' }]);
    pacer.statusBeacon.set(beacon(), intervalNs);
    await waitUntil(() => received.length > 0);
    pacer.statusBeacon.set(failing, intervalNs);
    await waitUntil(() => failures.length === 2);
  });

  it('refuses a writer of another transport and an interval of 0', async () => {
    const foreign = { topic } as unknown as TransportWriter;
    pacer.statusBeacon.set(beacon(), intervalNs);
    expect(pacer.statusBeacon.set(beacon(0n, { writer: foreign }), intervalNs)).toBe(false);
    const written = received.length;
    await tick(pacer, dds.context.clocks, 50);
    expect(received.length).toBeLessThanOrEqual(written + 1);
    expect(() => pacer.statusBeacon.set(beacon(), 0n)).toThrow(RangeError);
  });
});
