import { describe, expect, it } from 'vitest';
import { findQosMismatches } from '../../../src/diagnosis/index.js';
import type { DiscoveredQos } from '../../../src/ports/index.js';

const MS = 1_000_000n;

const presentation = (
  accessScope: 'instance' | 'topic' | 'group',
  coherentAccess = false,
  orderedAccess = false,
): DiscoveredQos => ({ presentation: { accessScope, coherentAccess, orderedAccess } });

describe('a reader and a writer', () => {
  it('fit each other when both have the defaults', () => {
    expect(findQosMismatches({}, {})).toEqual([]);
  });

  it('fit when the writer offers more than the reader asks for', () => {
    const reader: DiscoveredQos = {
      reliability: { kind: 'best-effort' },
      durability: { kind: 'volatile' },
      deadline: { periodNs: 20n * MS },
      liveliness: { kind: 'automatic', leaseDurationNs: 20n * MS },
    };
    const writer: DiscoveredQos = {
      reliability: { kind: 'reliable' },
      durability: { kind: 'transient' },
      deadline: { periodNs: 20n * MS },
      liveliness: { kind: 'manual-by-topic', leaseDurationNs: 19n * MS },
      destinationOrder: { kind: 'by-source-timestamp' },
      ...presentation('group', true, true),
    };
    expect(findQosMismatches(reader, writer)).toEqual([]);
  });

  it.each<[string, number, DiscoveredQos, DiscoveredQos, string, string]>([
    [
      'RELIABILITY',
      11,
      { reliability: { kind: 'reliable' } },
      { reliability: { kind: 'best-effort' } },
      'reliable',
      'best-effort',
    ],
    [
      'DURABILITY',
      2,
      { durability: { kind: 'transient-local' } },
      {},
      'transient-local',
      'volatile',
    ],
    ['PRESENTATION', 3, presentation('topic'), {}, 'topic', 'instance'],
    [
      'PRESENTATION',
      3,
      presentation('topic', true, true),
      presentation('group', true),
      'topic, coherent, ordered',
      'group, coherent',
    ],
    ['DEADLINE', 4, { deadline: { periodNs: 50n * MS } }, {}, '50 ms', 'infinite'],
    [
      'DEADLINE',
      4,
      { deadline: { periodNs: 50n * MS } },
      { deadline: { periodNs: 50n * MS + 1n } },
      '50 ms',
      '50.000001 ms',
    ],
    [
      'LATENCY_BUDGET',
      5,
      { latencyBudget: { durationNs: 0n } },
      { latencyBudget: { durationNs: MS } },
      '0 ms',
      '1 ms',
    ],
    ['OWNERSHIP', 6, {}, { ownership: { kind: 'exclusive' } }, 'shared', 'exclusive'],
    [
      'LIVELINESS',
      8,
      { liveliness: { kind: 'manual-by-topic', leaseDurationNs: null } },
      {},
      'manual-by-topic, lease infinite',
      'automatic, lease infinite',
    ],
    [
      'LIVELINESS',
      8,
      { liveliness: { kind: 'automatic', leaseDurationNs: MS } },
      {},
      'automatic, lease 1 ms',
      'automatic, lease infinite',
    ],
    [
      'DESTINATION_ORDER',
      12,
      { destinationOrder: { kind: 'by-source-timestamp' } },
      {},
      'by-source-timestamp',
      'by-reception-timestamp',
    ],
    ['PARTITION', 10, { partition: { names: ['a', 'b'] } }, {}, '"a", "b"', 'none'],
    ['DATA_REPRESENTATION', 23, {}, { dataRepresentation: [2, 0] }, 'XCDR1', 'XCDR2, XCDR1'],
  ])(
    'do not fit for %s (%i), with both values',
    (policy, policyId, reader, writer, requested, offered) => {
      expect(findQosMismatches(reader, writer)).toEqual([{ policy, policyId, requested, offered }]);
    },
  );

  it('name every policy that does not fit', () => {
    const reader: DiscoveredQos = {
      reliability: { kind: 'reliable' },
      durability: { kind: 'transient-local' },
      ownership: { kind: 'exclusive' },
    };
    const writer: DiscoveredQos = { reliability: { kind: 'best-effort' } };
    expect(findQosMismatches(reader, writer).map(({ policy }) => policy)).toEqual([
      'RELIABILITY',
      'DURABILITY',
      'OWNERSHIP',
    ]);
  });

  it.each([
    [[], [''], true],
    [[], ['*'], true],
    [['a'], [], false],
    [['a', 'b'], ['c', 'b'], true],
    [['lab*'], ['lab', 'x'], true],
    [['lab*2'], ['lab 1'], false],
    [['l?b'], ['lab'], true],
    [['l?b'], ['lb'], false],
    [['*a*'], ['banana'], true],
    [['a*'], ['a*'], false],
    [['a.c'], ['abc'], false],
  ])('in the partitions %j and %j meet: %s', (asked, offered, meet) => {
    const reader = { partition: { names: asked } };
    const writer = { partition: { names: offered } };
    expect(findQosMismatches(reader, writer)).toHaveLength(meet ? 0 : 1);
    expect(findQosMismatches(writer, reader).map(({ policy }) => policy)).toEqual(
      meet ? [] : ['PARTITION'],
    );
  });

  it('in partitions with many stars are compared in a bounded time', () => {
    const names = [`${'*a'.repeat(100)}*b`];
    const reader = { partition: { names } };
    expect(findQosMismatches(reader, { partition: { names: ['a'.repeat(200)] } })).toHaveLength(1);
  });
});
