import { beforeEach, describe, expect, it } from 'vitest';
import { HlcError } from '../../../src/errors/index.js';
import { unknownWriter, type QosPolicies, type ReceivedSample } from '../../../src/ports/index.js';
import { topics } from '../../../src/messages/index.js';
import { RosParticipant } from '../../../src/ros2/index.js';
import { FakeRclnodejs } from '../../support/fake-rclnodejs.js';

const reliable: QosPolicies = { reliability: { kind: 'reliable' } };
const bestEffort: QosPolicies = { reliability: { kind: 'best-effort' } };
const topic = topics.readyStatus;
const message = (id: string) =>
  topic.codec.encode({ source_id: id, next_start_stamp: { nanoseconds: 0n } });

let ros: FakeRclnodejs;
let faults: unknown[];

beforeEach(() => {
  ros = new FakeRclnodejs();
  faults = [];
});

const open = (rosArguments: readonly string[] = [], domainId = 3) =>
  RosParticipant.open(ros, {
    domainId,
    name: 'middleware',
    rosArguments,
    useSimTime: false,
    startTypeDescription: true,
    writtenVehicles: 3,
    onFault: (fault) => faults.push(fault),
  });

/** Everything that was put off to after the callbacks has happened. */
const later = () => new Promise((resolve) => setImmediate(resolve));

async function refusalOf(action: () => unknown): Promise<HlcError> {
  try {
    await action();
  } catch (error) {
    if (error instanceof HlcError) return error as HlcError;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

function collector() {
  const samples: ReceivedSample[] = [];
  return { samples, onSample: (sample: ReceivedSample) => void samples.push(sample) };
}

describe('a node of ROS 2 as a side', () => {
  it('gives rcl the arguments of the command line', async () => {
    await open(['--ros-args', '-r', '__ns:=/lab']);
    expect(ros.initArguments).toEqual([['hlc-middleware', '--ros-args', '-r', '__ns:=/lab']]);
  });

  it('moves serialized messages by topic, and does not pretend to know their writers', async () => {
    const received = collector();
    const reader = (await open()).createReader(topic, reliable, received);
    const writer = (await open()).createWriter(topic, reliable);
    const before = process.hrtime.bigint();
    writer.write(message('hlc_1'));

    expect(ros.node(1).publishers[0]).toMatchObject({
      type: 'hlc_middleware_msgs/msg/ReadyStatus',
      topic: 'ready_status',
    });
    const [sample] = received.samples;
    expect(topic.codec.decode(sample?.bytes ?? new Uint8Array()).source_id).toBe('hlc_1');
    expect(sample).toMatchObject({ writer: unknownWriter, sourceTimestampNs: 0n });
    expect(sample?.receivedAtNs).toBeGreaterThanOrEqual(before);
    expect([reader.matchedWriters, writer.matchedReaders]).toEqual([1, 1]);
  });

  it('names the participants of the other end of a topic', async () => {
    const reader = (await open()).createReader(topic, reliable, collector());
    const writer = (await open()).createWriter(topic, reliable);
    const prefix = (node: number) => `0000000${node}`.padEnd(24, '0');
    expect([...reader.matchedParticipants()]).toEqual([prefix(2)]);
    expect([...writer.matchedParticipants()]).toEqual([prefix(1)]);
  });

  it('reports a callback that throws, and continues', async () => {
    const side = await open();
    let calls = 0;
    side.createReader(topic, reliable, {
      onSample: () => {
        calls += 1;
        throw new Error('a fault of a listener');
      },
    });
    const writer = (await open()).createWriter(topic, reliable, {
      onMatched: () => {
        throw new Error('another one');
      },
    });
    writer.write(message('a'));
    writer.write(message('b'));
    expect(calls).toBe(2);
    expect(faults.map(String)).toEqual([
      'Error: another one',
      'Error: a fault of a listener',
      'Error: a fault of a listener',
    ]);
  });

  it('survives what rclnodejs throws when it gives out work', async () => {
    const make = ros.createNode.bind(ros);
    ros.createNode = (...args) => {
      const node = make(...args);
      node.execute = () => {
        throw new Error('failed to take event');
      };
      return node;
    };
    await open();
    expect(() => ros.node().execute([])).not.toThrow();
    expect(faults.map(String)).toEqual(['Error: failed to take event']);
  });

  it('calls no listener after close, and destroys nothing within a callback', async () => {
    const received = collector();
    const reader = (await open()).createReader(topic, reliable, received);
    const writer = (await open()).createWriter(topic, reliable);
    reader.close();
    reader.close();
    writer.write(message('a'));
    expect(received.samples).toEqual([]);
    expect(ros.node(0).subscriptions).toHaveLength(1);
    await later();
    expect(ros.node(0).subscriptions).toHaveLength(0);
    writer.close();
    await later();
    expect(ros.node(1).publishers).toHaveLength(0);
    expect((await refusalOf(() => writer.write(message('a')))).code).toBe('HLC_CLOSED');
  });

  it('closes its context once, and refuses everything after it', async () => {
    const side = await open();
    const writer = side.createWriter(topic, reliable);
    side.close();
    side.close();
    await side.ended;
    expect((await refusalOf(() => writer.write(message('a')))).code).toBe('HLC_CLOSED');
    expect((await refusalOf(() => side.createWriter(topic, reliable))).code).toBe('HLC_CLOSED');
    expect((await refusalOf(() => side.createReader(topic, reliable, collector()))).code).toBe(
      'HLC_CLOSED',
    );
    expect(writer.matchedParticipants().size + writer.matchedReaders).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe('a reader', () => {
  it('reports a writer that does not fit', async () => {
    const policies: string[] = [];
    (await open()).createReader(topic, reliable, {
      ...collector(),
      onIncompatibleQos: ({ policy }) => policies.push(policy),
    });
    (await open()).createWriter(topic, bestEffort);
    expect(policies).toEqual(['RELIABILITY']);
  });

  it('becomes best effort for such a writer where it may, and receives from both kinds once', async () => {
    const received = collector();
    const policies: string[] = [];
    const reader = (await open()).createReader(
      topic,
      reliable,
      { ...received, onIncompatibleQos: ({ policy }) => policies.push(policy) },
      { yieldToBestEffort: true },
    );
    const other = await open();
    const sure = other.createWriter(topic, reliable);
    const unsure = other.createWriter(topic, bestEffort);
    sure.write(message('sure'));
    await later();
    unsure.write(message('unsure'));
    const ids = received.samples.map(({ bytes }) => topic.codec.decode(bytes).source_id);
    expect(ids).toEqual(['sure', 'unsure']);
    expect(policies).toEqual([]);
    expect(ros.node(0).subscriptions).toHaveLength(1);
    expect(reader.matchedWriters).toBe(2);
  });

  it('cannot stand beside a reliable one', async () => {
    const side = await open();
    expect(() =>
      side.createReader(topic, bestEffort, collector(), { ignoreReliableWriters: true }),
    ).toThrow(RangeError);
  });
});

describe('what cannot be made', () => {
  it('is a node that rcl refuses, and its context is not left behind', async () => {
    const error = await refusalOf(() => open(['--ros-args', '--broken']));
    expect(error.message).toBe(
      'The ROS 2 node "middleware" cannot be made (rcl says no); check the ROS arguments and the domain id.',
    );
    expect(error.exitCode).toBe(2);
  });

  it('is an endpoint of a type that is not installed', async () => {
    const side = await open();
    ros.missingInterfaces.add('hlc_middleware_msgs/msg/ReadyStatus');
    const error = await refusalOf(() => side.createWriter(topic, reliable));
    expect([error.code, error.exitCode]).toEqual(['HLC_ROS_MESSAGES', 2]);
    expect(error.message).not.toContain('\n');
  });

  it('is an endpoint with a QoS that rclnodejs cannot ask for', async () => {
    const side = await open();
    const qos: QosPolicies = { ...reliable, deadline: { periodNs: 1_000_000n } };
    const error = await refusalOf(() => side.createReader(topic, qos, collector()));
    expect(error.code).toBe('HLC_DDS_ENTITY');
    expect(error.message).toContain('deadline');
  });
});
