import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findQosMismatches } from '../../../src/diagnosis/index.js';
import type { DiscoveredParticipant, QosPolicies } from '../../../src/ports/index.js';
import type { DdsParticipant } from '../../../src/dds/index.js';
import { topics } from '../../../src/messages/index.js';
import { openDds, type DdsFixture } from '../../support/dds-fixture.js';
import { waitFor, waitUntil } from '../../support/wait-until.js';

const MS = 1_000_000n;

let dds: DdsFixture;

beforeEach(() => {
  dds = openDds();
});

afterEach(() => {
  dds.context.close();
  expect(dds.faults).toEqual([]);
});

/** Settles when this participant has discovered the other one with this many endpoints. */
function untilDiscovered(
  listener: DdsParticipant,
  other: DdsParticipant,
  count: number,
): Promise<DiscoveredParticipant> {
  return waitFor(() => {
    const found = listener
      .discovered()
      .participants.find(({ guidPrefix }) => other.guid.startsWith(guidPrefix));
    if (found === undefined) throw new Error('not discovered yet');
    expect(found.endpoints).toHaveLength(count);
    return found;
  });
}

describe('a participant', () => {
  it('discovers others, with their process, their endpoints and their QoS, and not itself', async () => {
    const listener = dds.join();
    const network = { domainId: 3, networkInterface: 'lo', initialPeers: [] };
    const other = dds.context.join(network, {}, 'a name with ü');
    other.createWriter(topics.readyStatus, {
      reliability: { kind: 'best-effort' },
      durability: { kind: 'transient-local' },
      deadline: { periodNs: 20n * MS },
      liveliness: { kind: 'manual-by-topic', leaseDurationNs: 5n * MS },
      ownership: { kind: 'exclusive' },
      destinationOrder: { kind: 'by-source-timestamp' },
      partition: { names: ['a', 'b*'] },
      presentation: { accessScope: 'topic', coherentAccess: false, orderedAccess: true },
    });
    other.createReader(topics.vehicleStateList, {}, { onSample: () => undefined });

    const found = await untilDiscovered(listener, other, 2);
    expect(found).toMatchObject({
      guidPrefix: other.guid.slice(0, 24),
      vendor: 'Cyclone DDS',
      name: 'a name with ü',
      processName: 'node',
      pid: process.pid,
    });
    expect(found.hostName).toBeTruthy();
    const [writer, reader] = found.endpoints;
    expect(writer).toEqual({
      kind: 'writer',
      guid: expect.stringMatching(new RegExp(`^${found.guidPrefix}[0-9a-f]{8}$`)) as string,
      topic: 'readyStatus',
      typeName: 'ReadyStatus',
      qos: {
        reliability: { kind: 'best-effort' },
        durability: { kind: 'transient-local' },
        deadline: { periodNs: 20n * MS },
        latencyBudget: { durationNs: 0n },
        liveliness: { kind: 'manual-by-topic', leaseDurationNs: 5n * MS },
        ownership: { kind: 'exclusive' },
        destinationOrder: { kind: 'by-source-timestamp' },
        partition: { names: ['a', 'b*'] },
        presentation: { accessScope: 'topic', coherentAccess: false, orderedAccess: true },
        dataRepresentation: [0],
      },
    });
    expect(reader).toMatchObject({
      kind: 'reader',
      topic: 'vehicleStateList',
      qos: { reliability: { kind: 'best-effort' }, deadline: { periodNs: null } },
    });
    const prefixes = listener.discovered().participants.map(({ guidPrefix }) => guidPrefix);
    expect(prefixes).not.toContain(listener.guid.slice(0, 24));
  });

  it('does not hear any more who has left', async () => {
    const listener = dds.join();
    const other = dds.join();
    await untilDiscovered(listener, other, 0);
    other.close();
    await waitUntil(() => listener.discovered().participants.length === 0);
  });

  it('that is closed says so', () => {
    const listener = dds.join();
    listener.close();
    expect(() => listener.discovered()).toThrow('already closed');
  });
});

describe('the comparison of QoS', () => {
  const values: readonly QosPolicies[] = [
    {},
    { reliability: { kind: 'reliable' } },
    { reliability: { kind: 'best-effort' } },
    { durability: { kind: 'transient-local' } },
    { deadline: { periodNs: 20n * MS } },
    { deadline: { periodNs: 50n * MS } },
    { latencyBudget: { durationNs: MS } },
    { ownership: { kind: 'exclusive' } },
    { liveliness: { kind: 'automatic', leaseDurationNs: 900n * MS } },
    { liveliness: { kind: 'manual-by-topic', leaseDurationNs: 700n * MS } },
    { destinationOrder: { kind: 'by-source-timestamp' } },
    { partition: { names: ['a', 'b'] } },
    { partition: { names: ['*b'] } },
    { presentation: { accessScope: 'topic', coherentAccess: false, orderedAccess: true } },
  ];

  it('says of every pair what the DDS library says of it', async () => {
    const readers = dds.join();
    const writers = dds.join();
    const refused = new Map<string, string>();
    const { typeName } = topics.vehicleState;
    const pairs = values.flatMap((asked, i) =>
      values.map((offered, j) => {
        const topic = { name: `pair_${i}_${j}`, typeName };
        const reader = readers.createReader(topic, asked, {
          onSample: () => undefined,
          onIncompatibleQos: ({ policy }) => refused.set(topic.name, policy),
        });
        writers.createWriter(topic, offered);
        return { name: topic.name, reader };
      }),
    );
    const count = values.length ** 2;
    const offered = await untilDiscovered(readers, writers, count);
    const asked = await untilDiscovered(writers, readers, count);
    // Each reader has either met its writer or refused it, when it has heard of it at all. A pair
    // in different partitions is reported neither way.
    const apart = (name: string) => firstMismatch(name) === 'PARTITION';
    const firstMismatch = (name: string) => {
      const of = ({ endpoints }: DiscoveredParticipant) =>
        endpoints.find(({ topic }) => topic === name)?.qos ?? {};
      return findQosMismatches(of(asked), of(offered))[0]?.policy;
    };
    await waitUntil(() =>
      pairs.every(
        ({ name, reader }) => reader.matchedWriters === 1 || refused.has(name) || apart(name),
      ),
    );
    for (const { name, reader } of pairs) {
      const expected = firstMismatch(name);
      expect(`${name} ${reader.matchedWriters}`).toBe(`${name} ${expected === undefined ? 1 : 0}`);
      if (expected !== 'PARTITION')
        expect(`${name} ${refused.get(name)}`).toBe(`${name} ${expected}`);
    }
    console.log(
      `${count} pairs, ${pairs.filter(({ reader }) => reader.matchedWriters === 1).length} fit`,
    );
  });
});
