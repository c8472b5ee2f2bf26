import { LifeCycle } from '../../../../src/core/index.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import {
  DiagnosticLevel,
  RosClock,
  announceDiagnostics,
  announceLog,
  nodeTopics,
  offerLifecycle,
} from '../../../../src/ros2/index.js';
import { FakeRclnodejs } from '../../../support/fake-rclnodejs.js';
import { openNode, type OpenedNode } from './face-on-fake.js';

const separator = '\n===\n';
const time = 'MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec';

/** Reads what was sent last to a topic by the message definitions of ROS 2. */
function lastOf(opened: OpenedNode, topic: string, ...definition: string[]): unknown {
  const [message] = opened.node.sentTo(topic).slice(-1);
  if (message === undefined) throw new Error(`Nothing was sent to ${topic}.`);
  return new MessageReader(parse(definition.join(separator), { ros2: true })).readMessage(message);
}

let ros: FakeRclnodejs;
let opened: OpenedNode;

beforeEach(async () => {
  ros = new FakeRclnodejs();
  opened = await openNode(ros);
});

describe('/diagnostics', () => {
  const definition = [
    'std_msgs/Header header\ndiagnostic_msgs/DiagnosticStatus[] status',
    'MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id',
    time,
    'MSG: diagnostic_msgs/DiagnosticStatus\nbyte level\nstring name\nstring message\nstring hardware_id\ndiagnostic_msgs/KeyValue[] values',
    'MSG: diagnostic_msgs/KeyValue\nstring key\nstring value',
  ];

  it('has the statuses, with the time of the clock of the node', () => {
    ros.nowNs = 3_000_000_007n;
    announceDiagnostics(nodeTopics(opened.handle))([
      {
        level: DiagnosticLevel.stale,
        name: 'mw: controller 1',
        message: 'silent',
        hardwareId: 'mw',
        values: { replies: '1', misses: '22' },
      },
      { level: DiagnosticLevel.ok, name: 'mw: x', message: '', hardwareId: '', values: {} },
    ]);
    expect(lastOf(opened, '/diagnostics', ...definition)).toEqual({
      header: { stamp: { sec: 3, nanosec: 7 }, frame_id: '' },
      status: [
        {
          level: 3,
          name: 'mw: controller 1',
          message: 'silent',
          hardware_id: 'mw',
          values: [
            { key: 'replies', value: '1' },
            { key: 'misses', value: '22' },
          ],
        },
        { level: 0, name: 'mw: x', message: '', hardware_id: '', values: [] },
      ],
    });
  });
});

describe('~/transition_event', () => {
  it('has the arrow and its time', async () => {
    ros.nowNs = 12n;
    const done = () => 'success' as const;
    const life = new LifeCycle(
      {
        configure: done,
        cleanup: done,
        activate: done,
        deactivate: done,
        shutdown: done,
        recover: done,
      },
      { onTransition: (transition) => publish(transition), onFault: () => undefined },
    );
    const publish = offerLifecycle(opened.handle, life);
    await life.command('configure');
    const state = 'uint8 id\nstring label';
    const event = lastOf(
      opened,
      '~/transition_event',
      'uint64 timestamp\nlifecycle_msgs/Transition transition\nlifecycle_msgs/State start_state\nlifecycle_msgs/State goal_state',
      `MSG: lifecycle_msgs/Transition\n${state}`,
      `MSG: lifecycle_msgs/State\n${state}`,
    );
    expect(event).toEqual({
      timestamp: 12n,
      transition: { id: 10, label: 'transition_success' },
      start_state: { id: 10, label: 'configuring' },
      goal_state: { id: 2, label: 'inactive' },
    });
  });
});

describe('/clock', () => {
  const definition = ['builtin_interfaces/Time clock', time];
  const lastTime = () => lastOf(opened, '/clock', ...definition);

  it('has the time of every step, and once more for who came since while time stands', () => {
    const clock = new RosClock(nodeTopics(opened.handle));
    clock.open();
    clock.repeat();
    expect(opened.node.sentTo('/clock')).toEqual([]);
    clock.publish(1_500_000_001n);
    clock.repeat();
    expect(opened.node.sentTo('/clock')).toHaveLength(1);
    clock.repeat();
    expect(opened.node.sentTo('/clock')).toHaveLength(2);
    expect(lastTime()).toEqual({ clock: { sec: 1, nanosec: 500_000_001 } });
  });

  it('stands still at the latest time that its seconds hold', () => {
    const clock = new RosClock(nodeTopics(opened.handle));
    clock.open();
    clock.publish(2n ** 63n - 1n);
    expect(lastTime()).toEqual({ clock: { sec: 2 ** 31 - 1, nanosec: 0 } });
  });

  it('is refused when another node publishes it', async () => {
    const other = await openNode(ros, 'gazebo');
    new RosClock(nodeTopics(other.handle)).open();
    const clock = new RosClock(nodeTopics(opened.handle));
    expect(() => clock.open()).toThrow(
      'The node /gazebo publishes /clock, and simulated time can have one source only; end that node, or let the lab say the time with --time-source=lab.',
    );
    clock.publish(1n);
    expect(opened.node.sentTo('/clock')).toEqual([]);
  });

  it('reports a node that publishes it later, also one of the same name', async () => {
    const clock = new RosClock(nodeTopics(opened.handle));
    clock.open();
    expect(clock.other()).toBeUndefined();
    const other = await openNode(ros);
    other.node.createPublisher('rosgraph_msgs/msg/Clock', '/clock', {
      qos: new ros.QoS(1, 10, 1, 2),
    });
    expect(clock.other()).toBe('/middleware');
  });
});

describe('/rosout', () => {
  it('has an entry of the log, under the name of the logger of the node', () => {
    ros.nowNs = 5_000_000_001n;
    announceLog(nodeTopics(opened.handle))({ level: 30, message: 'a controller is late' });
    const definition =
      'builtin_interfaces/Time stamp\nuint8 level\nstring name\nstring msg\nstring file\nstring function\nuint32 line';
    expect(lastOf(opened, '/rosout', definition, time)).toEqual({
      ...{ stamp: { sec: 5, nanosec: 1 }, level: 30, name: 'middleware' },
      ...{ msg: 'a controller is late', file: '', function: '', line: 0 },
    });
  });
});
