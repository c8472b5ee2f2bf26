import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { QosPolicies, ReceivedSample } from '../../../src/ports/index.js';
import { topics, type VehicleState } from '../../../src/messages/index.js';
import { openDds, type DdsFixture } from '../../support/dds-fixture.js';
import { waitUntil } from '../../support/wait-until.js';

const reliable: QosPolicies = { reliability: { kind: 'reliable' }, history: { kind: 'keep-all' } };
const bestEffort: QosPolicies = {
  reliability: { kind: 'best-effort' },
  history: { kind: 'keep-all' },
};

const topic = topics.vehicleState;

function state(vehicleId: number, odometer = 0): VehicleState {
  return { ...topic.codec.zero(), vehicle_id: vehicleId, odometer_distance: odometer };
}

let dds: DdsFixture;

beforeEach(() => {
  dds = openDds();
});

afterEach(() => {
  dds.context.close();
  expect(dds.faults).toEqual([]);
});

/** Collects decoded samples and where they came from. */
function collector() {
  const samples: { value: VehicleState; from: ReceivedSample }[] = [];
  return {
    samples,
    onSample: (from: ReceivedSample) => {
      samples.push({ value: topic.codec.decode(from.bytes), from });
    },
  };
}

describe('a DDS reader', () => {
  it('receives what a writer of another participant wrote, with the GUID of that writer', async () => {
    const received = collector();
    const reader = dds.join().createReader(topic, reliable, received);
    const participant = dds.join();
    const writer = participant.createWriter(topic, reliable);
    await waitUntil(() => writer.matchedReaders === 1 && reader.matchedWriters === 1);

    const before = dds.context.clocks.monotonicNs();
    writer.write(topic.codec.encode(state(7, 1.25)));
    await waitUntil(() => received.samples.length === 1);

    const [sample] = received.samples;
    expect(sample?.value).toEqual(state(7, 1.25));
    expect(sample?.from.writer.reliable).toBe(true);
    expect(sample?.from.writer.guid.slice(0, 24)).toBe(participant.guid.slice(0, 24));
    expect(sample?.from.receivedAtNs).toBeGreaterThanOrEqual(before);
    expect(writer.matchedParticipants().size).toBe(1);
  });

  it('takes a sample of a reliable writer once when two readers stand side by side', async () => {
    const received = collector();
    const side = dds.join();
    const one = side.createReader(topic, reliable, received);
    const two = side.createReader(topic, bestEffort, received, { ignoreReliableWriters: true });
    const peer = dds.join();
    const reliableWriter = peer.createWriter(topic, reliable);
    const oldWriter = peer.createWriter(topic, bestEffort);
    await waitUntil(() => one.matchedWriters === 1 && two.matchedWriters === 2);
    await waitUntil(() => reliableWriter.matchedReaders === 2 && oldWriter.matchedReaders === 1);

    for (let i = 0; i < 50; i++) reliableWriter.write(topic.codec.encode(state(1, i)));
    oldWriter.write(topic.codec.encode(state(2)));
    await waitUntil(() => received.samples.some(({ value }) => value.vehicle_id === 2));
    await waitUntil(() => received.samples.length >= 51);

    const ofReliable = received.samples.filter(({ value }) => value.vehicle_id === 1);
    expect(ofReliable.map(({ value }) => value.odometer_distance)).toEqual(
      Array.from({ length: 50 }, (_, i) => i),
    );
    expect(received.samples).toHaveLength(51);
  });

  it('takes none of its own participant where it ignores them', async () => {
    const received = collector();
    const side = dds.join();
    const reader = side.createReader(topic, bestEffort, received, { ignoreOwnWriters: true });
    const own = side.createWriter(topic, bestEffort);
    const other = dds.join().createWriter(topic, bestEffort);
    await waitUntil(() => reader.matchedWriters > 0 && other.matchedReaders === 1);

    own.write(topic.codec.encode(state(1)));
    other.write(topic.codec.encode(state(2)));
    await waitUntil(() => received.samples.length > 0);
    expect(received.samples.map(({ value }) => value.vehicle_id)).toEqual([2]);
    expect([own.matchedReaders, reader.matchedWriters]).toEqual([0, 1]);
  });

  it('reports which writer came and which one is gone', async () => {
    const changes: [guid: string, joined: boolean][] = [];
    dds.join().createReader(topic, reliable, {
      onSample: () => undefined,
      onMatched: (_, { writer, joined }) => changes.push([writer.guid.slice(0, 24), joined]),
    });
    const one = dds.join();
    const two = dds.join();
    const writer = one.createWriter(topic, reliable);
    await waitUntil(() => changes.length === 1);
    two.createWriter(topic, bestEffort);
    two.createWriter(topic, reliable);
    await waitUntil(() => changes.length === 2);
    writer.close();
    await waitUntil(() => changes.length === 3);
    two.close();
    await waitUntil(() => changes.length === 4);
    const [a, b] = [one.guid.slice(0, 24), two.guid.slice(0, 24)];
    expect(changes).toEqual([
      [a, true],
      [b, true],
      [a, false],
      [b, false],
    ]);
  });

  it('names the policy that keeps it from a writer', async () => {
    const policies: string[] = [];
    dds.join().createReader(topic, reliable, {
      onSample: () => undefined,
      onIncompatibleQos: ({ policy }) => policies.push(policy),
    });
    dds.join().createWriter(topic, bestEffort);
    await waitUntil(() => policies.length > 0);
    expect(policies).toEqual(['RELIABILITY']);
  });

  it('leaves samples in its cache while this process is too slow, and loses none of them', async () => {
    dds.context.close();
    dds = openDds({ queueBytes: 4096 });
    const received = collector();
    const reader = dds.join().createReader(topic, reliable, received);
    const writer = dds.join().createWriter(topic, reliable);
    await waitUntil(() => writer.matchedReaders === 1 && reader.matchedWriters === 1);

    // Nothing is delivered while this loop holds the thread, so the queue fills up.
    for (let i = 0; i < 1000; i++) writer.write(topic.codec.encode(state(1, i)));
    expect(reader.stalls).toBeGreaterThan(0);
    await waitUntil(() => received.samples.length === 1000);
    expect(received.samples.map(({ value }) => value.odometer_distance)).toEqual(
      Array.from({ length: 1000 }, (_, i) => i),
    );
  });

  it('continues after a listener threw, and reports the fault', async () => {
    let calls = 0;
    const reader = dds.join().createReader(topic, reliable, {
      onSample: () => {
        calls++;
        throw new Error(`call ${calls}`);
      },
    });
    const writer = dds.join().createWriter(topic, reliable);
    await waitUntil(() => writer.matchedReaders === 1 && reader.matchedWriters === 1);
    writer.write(topic.codec.encode(state(1)));
    writer.write(topic.codec.encode(state(2)));
    await waitUntil(() => calls === 2);
    expect(dds.faults.splice(0).map(String)).toEqual(['Error: call 1', 'Error: call 2']);
  });
});

describe('a DDS writer', () => {
  it('refuses bytes that do not begin as plain CDR', () => {
    const writer = dds.join().createWriter(topic, reliable);
    const whole = topic.codec.encode(state(1));
    for (const bytes of [new Uint8Array(), whole.subarray(0, 3)]) {
      expect(() => writer.write(bytes)).toThrow(expect.objectContaining({ code: 'HLC_DDS_WRITE' }));
    }
    const unknownEncapsulation = Uint8Array.from(whole);
    unknownEncapsulation[1] = 7;
    expect(() => writer.write(unknownEncapsulation)).toThrow('cannot be written');
  });

  it('refuses to write after it was closed, and may be closed twice', () => {
    const writer = dds.join().createWriter(topic, reliable);
    writer.close();
    writer.close();
    expect(() => writer.write(topic.codec.encode(state(1)))).toThrow(
      expect.objectContaining({ code: 'HLC_CLOSED' }),
    );
  });

  it('reaches a late reader with all it wrote when it is transient-local with a durability service', async () => {
    const qos: QosPolicies = {
      ...reliable,
      durability: { kind: 'transient-local' },
      durabilityService: { history: { kind: 'keep-all' } },
    };
    const writer = dds.join().createWriter(topics.readyStatus, qos);
    for (const id of [1, 2, 3]) {
      const ready = { ...topics.readyStatus.codec.zero(), source_id: `hlc_${id}` };
      writer.write(topics.readyStatus.codec.encode(ready));
    }
    const heard: string[] = [];
    dds.join().createReader(topics.readyStatus, qos, {
      onSample: ({ bytes }) => heard.push(topics.readyStatus.codec.decode(bytes).source_id),
    });
    await waitUntil(() => heard.length === 3);
    expect(heard).toEqual(['hlc_1', 'hlc_2', 'hlc_3']);
  });
});

describe('a DDS context', () => {
  it('closes entities in any order, also after their participant', () => {
    const one = dds.join();
    const reader = one.createReader(topic, reliable, { onSample: () => undefined });
    const writer = one.createWriter(topic, reliable);
    const two = dds.join(4);
    one.close();
    reader.close();
    writer.close();
    one.close();
    dds.context.close();
    two.close();
    dds.context.close();
  });

  it('opens again after it was closed, a hundred times', () => {
    for (let i = 0; i < 100; i++) {
      dds.context.close();
      dds = openDds();
      const side = dds.join();
      side.createWriter(topic, reliable);
      side.createReader(topic, bestEffort, { onSample: () => undefined });
    }
  });

  it('says in one sentence why an interface cannot be used', () => {
    const open = () =>
      dds.context.join({ domainId: 9, networkInterface: 'nosuch0', initialPeers: [] });
    expect(open).toThrow(expect.objectContaining({ code: 'HLC_DDS_DOMAIN' }));
    expect(open).toThrow(/"nosuch0" \(.*nosuch0.*\)/);
  });

  it('ticks once at the instant asked for, and not before', async () => {
    const { clocks } = dds.context;
    const pacer = dds.context.createPacer();
    const ticks: { deadlineNs: bigint; wokeAtNs: bigint }[] = [];
    pacer.onTick((tick) => ticks.push(tick));
    const deadline = clocks.monotonicNs() + 20_000_000n;
    pacer.arm(deadline);
    await waitUntil(() => ticks.length === 1);
    expect(ticks[0]?.deadlineNs).toBe(deadline);
    expect(ticks[0]?.wokeAtNs).toBeGreaterThanOrEqual(deadline);

    pacer.arm(clocks.monotonicNs() + 3_600_000_000_000n);
    pacer.arm(clocks.monotonicNs());
    await waitUntil(() => ticks.length === 2);
    pacer.arm(clocks.monotonicNs() + 5_000_000n);
    pacer.disarm();
    const disarmedNs = clocks.monotonicNs();
    const last = disarmedNs + 10_000_000n;
    pacer.arm(last);
    await waitUntil(() => ticks.some(({ deadlineNs }) => deadlineNs === last));
    // A busy machine may keep this thread from disarming in time.
    const afterwards = ticks.slice(2).filter(({ wokeAtNs }) => wokeAtNs > disarmedNs);
    expect(afterwards.map(({ deadlineNs }) => deadlineNs)).toEqual([last]);
  });
});

describe('thousands of writers', () => {
  it('are each reported with their GUIDs when they join and when they leave', async () => {
    const count = 4200;
    const joined: string[] = [];
    const left: string[] = [];
    const reader = dds.join().createReader(topic, bestEffort, {
      onSample: () => undefined,
      onMatched: (_, { writer, joined: isJoin }) => (isJoin ? joined : left).push(writer.guid),
    });
    const participant = dds.join();
    const writers = Array.from({ length: count }, () =>
      participant.createWriter(topic, bestEffort),
    );
    await waitUntil(() => reader.matchedWriters === count);
    for (const writer of writers) writer.close();
    await waitUntil(() => reader.matchedWriters === 0);
    const guids = writers.map(({ guid }) => guid);
    expect(joined).toEqual(guids);
    expect(left).toEqual(guids);
    expect(reader.matchedParticipants().size).toBe(0);
  });
});
