import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { QosPolicies, ReceivedSample } from '../../../src/ports/index.js';
import { topics } from '../../../src/messages/index.js';
import { IdentifiedRosSide, RosParticipant } from '../../../src/ros2/index.js';
import { FakeRclnodejs } from '../../support/fake-rclnodejs.js';
import { InMemoryNetwork } from '../../support/in-memory-transport.js';

const bestEffort: QosPolicies = { reliability: { kind: 'best-effort' } };
const topic = topics.readyStatus;
const type = 'hlc_middleware_msgs/msg/ReadyStatus';

let ros: FakeRclnodejs;
let network: InMemoryNetwork;
let errors: string[];
let side: IdentifiedRosSide;

function openNode(name: string): Promise<RosParticipant> {
  return RosParticipant.open(ros, {
    domainId: 3,
    name,
    rosArguments: [],
    useSimTime: false,
    startTypeDescription: true,
    writtenVehicles: 1,
    onFault: (fault) => {
      throw fault;
    },
  });
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  ros = new FakeRclnodejs();
  network = new InMemoryNetwork();
  errors = [];
  side = new IdentifiedRosSide({
    node: await openNode('middleware'),
    readers: network.join(),
    onError: ({ code, message }) => errors.push(`${code} ${message}`),
  });
});

afterEach(() => {
  side.close();
  vi.useRealTimers();
});

it('names the writer of a sample, and says when that writer is gone', async () => {
  const samples: ReceivedSample[] = [];
  const gone: string[] = [];
  side.createReader(topic, bestEffort, {
    onSample: (sample) => samples.push(sample),
    onMatched: (_, { writer, joined }) => {
      if (!joined) gone.push(writer.guid);
    },
  });
  const writers = [network.join(), network.join()].map((peer) => peer.createWriter(topic, {}));
  for (const writer of writers) {
    writer.write(topic.codec.encode({ source_id: 'hlc_1', next_start_stamp: { nanoseconds: 0n } }));
  }
  await network.idle();
  const [first, second] = samples.map(({ writer }) => writer.guid);
  expect(second).not.toBe(first);
  writers[0]?.close();
  await network.idle();
  expect(gone).toEqual([first]);
});

it('stands in the graph with one subscription of each topic, which it never takes from', () => {
  const count = () => ros.node().subscriptions.filter((one) => one.type === type).length;
  const reader = side.createReader(topic, bestEffort, { onSample: () => undefined });
  side.createReader(topic, bestEffort, { onSample: () => undefined });
  expect(count()).toBe(1);
  expect(ros.node().waitedFor).toEqual([]);
  reader.close();
  expect(count()).toBe(1);
});

it('reports a node that the graph names and that DDS does not reach within 5 s', async () => {
  side.createReader(topic, bestEffort, { onSample: () => undefined });
  const other = await openNode('controller');
  other.createWriter(topic, {});
  vi.advanceTimersByTime(5000);
  expect(errors).toEqual([]);
  vi.advanceTimersByTime(5000);
  expect(errors).toEqual([
    expect.stringMatching(/^HLC_ROS_UNREACHED The node \/controller publishes "readyStatus"/),
  ]);
});
