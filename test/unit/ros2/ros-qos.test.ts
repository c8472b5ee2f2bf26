import { describe, expect, it } from 'vitest';
import type { QosPolicies } from '../../../src/ports/index.js';
import { policyName, rosQos } from '../../../src/ros2/ros-qos.js';
import { fakeQos, FakeRclnodejs } from '../../support/fake-rclnodejs.js';

const rclnodejs = new FakeRclnodejs();
const qosOf = (kind: 'reader' | 'writer', qos: QosPolicies) => {
  const { history, depth, reliability, durability } = fakeQos(rosQos(rclnodejs, kind, qos));
  return { history, depth, reliability, durability };
};

describe('the QoS of an endpoint', () => {
  it('has the defaults of DDS: a reliable writer, a best-effort reader, the newest sample', () => {
    const newest = { history: 1, depth: 1, durability: 2 };
    expect(qosOf('writer', {})).toEqual({ ...newest, reliability: 1 });
    expect(qosOf('reader', {})).toEqual({ ...newest, reliability: 2 });
  });

  it('keeps all samples of a reader, and as many of a writer as make it never wait for a slow reader', () => {
    const all: QosPolicies = { history: { kind: 'keep-all' } };
    expect(qosOf('reader', all)).toMatchObject({ history: 2 });
    expect(qosOf('writer', all)).toMatchObject({ history: 1, depth: 10_000 });
  });

  it('keeps for late readers what the durability service says', () => {
    const late = (history: NonNullable<QosPolicies['history']>): QosPolicies => ({
      durability: { kind: 'transient-local' },
      history: { kind: 'keep-last', depth: 2 },
      durabilityService: { history },
    });
    expect(qosOf('writer', late({ kind: 'keep-all' }))).toMatchObject({ depth: 10_000 });
    expect(qosOf('writer', late({ kind: 'keep-last', depth: 5 }))).toMatchObject({
      depth: 5,
      durability: 1,
    });
    expect(qosOf('writer', late({ kind: 'keep-last', depth: 1 }))).toMatchObject({ depth: 2 });
  });

  it.each<[string, QosPolicies]>([
    ['deadline', { deadline: { periodNs: 1n } }],
    ['lifespan', { lifespan: { durationNs: 1n } }],
    ['liveliness', { liveliness: { kind: 'manual-by-topic' } }],
    ['liveliness', { liveliness: { kind: 'automatic', leaseDurationNs: 1n } }],
    ['durability', { durability: { kind: 'persistent' } }],
    ['destination order', { destinationOrder: { kind: 'by-source-timestamp' } }],
    ['ownership', { ownership: { kind: 'exclusive', strength: 1 } }],
    ['time-based filter', { timeBasedFilter: { minimumSeparationNs: 1n } }],
    ['partition', { partition: { names: ['a'] } }],
    ['presentation', { presentation: presentation(true) }],
  ])('refuses a %s that rclnodejs cannot ask for', (name, qos) => {
    expect(() => rosQos(rclnodejs, 'writer', qos)).toThrow(`has no ${name} of the kind`);
  });

  it('accepts the same policies where they ask for nothing', () => {
    const nothing: QosPolicies = {
      deadline: { periodNs: null },
      lifespan: { durationNs: null },
      liveliness: { kind: 'automatic', leaseDurationNs: null },
      ownership: { kind: 'shared' },
      timeBasedFilter: { minimumSeparationNs: 0n },
      partition: { names: [''] },
      presentation: presentation(false),
    };
    expect(qosOf('writer', nothing)).toEqual(qosOf('writer', {}));
  });
});

it('names the policies that rmw numbers', () => {
  expect([1 << 1, 1 << 4, 1 << 20].map(policyName)).toEqual([
    'DURABILITY',
    'RELIABILITY',
    'unknown policy',
  ]);
});

function presentation(ordered: boolean): NonNullable<QosPolicies['presentation']> {
  return { accessScope: 'topic', coherentAccess: false, orderedAccess: ordered };
}
