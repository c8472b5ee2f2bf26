import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import { describe, expect, it } from 'vitest';
import type { QosPolicies } from '../../../src/ports/index.js';
import { RosNamedTransport } from '../../../src/ros2/on-dds/index.js';
import { directCommand } from '../../support/commands.js';
import { cliProgram } from '../../support/middleware.js';
import { Recorder } from '../../support/recorder.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';

const time = 'MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec';
/** Of ROS 2 Jazzy; `name` is the type on the wire. */
const faceTypes = {
  clock: {
    name: 'rosgraph_msgs::msg::dds_::Clock_',
    definition: ['builtin_interfaces/Time clock', time],
  },
  rosout: {
    name: 'rcl_interfaces::msg::dds_::Log_',
    definition: [
      'builtin_interfaces/Time stamp\nuint8 level\nstring name\nstring msg\nstring file\nstring function\nuint32 line',
      time,
    ],
  },
  diagnostics: {
    name: 'diagnostic_msgs::msg::dds_::DiagnosticArray_',
    definition: [
      'std_msgs/Header header\ndiagnostic_msgs/DiagnosticStatus[] status',
      'MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id',
      time,
      'MSG: diagnostic_msgs/DiagnosticStatus\nbyte level\nstring name\nstring message\nstring hardware_id\ndiagnostic_msgs/KeyValue[] values',
      'MSG: diagnostic_msgs/KeyValue\nstring key\nstring value',
    ],
  },
} as const;

/** As `ros2 topic echo` reads. */
const readerQos: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'transient-local' },
  history: { kind: 'keep-last', depth: 1000 },
};
const volatileQos: QosPolicies = { ...readerQos, durability: { kind: 'volatile' } };

/** What comes on a topic of the controller side, by the message definitions of ROS 2. */
function echo<T>(lab: TestLab, topic: keyof typeof faceTypes) {
  const { name, definition } = faceTypes[topic];
  const reader = new MessageReader(parse(definition.join('\n===\n'), { ros2: true }));
  const messages = new Recorder<T>(`messages on /${topic}`);
  const matched = new Recorder<number>(`writers of /${topic}`);
  const qos = topic === 'rosout' ? readerQos : volatileQos;
  lab.join('controllers').createReader({ name: `rt/${topic}`, typeName: name }, qos, {
    onSample: ({ bytes }) => messages.add(reader.readMessage<T>(bytes)),
    onMatched: (writers) => matched.add(writers),
  });
  return { messages, untilMatched: () => matched.until((writers) => writers > 0) };
}

/** A controller in ROS 2 that drives its vehicle once that is in the start signal. */
function rosController(lab: TestLab, id: number): ScriptedController {
  const side = lab.join('controllers');
  const transport = new RosNamedTransport(side, {
    node: { name: `controller_${id}`, namespace: '/' },
    topicRemaps: [],
    writtenVehicles: 1,
    nowNs: () => 0n,
    onError: () => undefined,
  });
  const controller = new ScriptedController(transport, {
    ids: [id],
    onStart: ({ t_now, state_list }, own) =>
      own.send(directCommand(id, t_now, { motor_throttle: state_list.length === 0 ? 0 : 0.5 })),
  });
  controller.signIn();
  return controller;
}

const nodeFlags = ['--vehicle-ids=1', '--period-ms=50', '--controller-naming=ros2'];

describe('a demo in simulated time on the wire of ROS 2', () => {
  it.each(['dds', 'ros2'])(
    'moves its vehicle and publishes /clock, with the names of %s on the lab side',
    async (naming) => {
      const lab = openTestLab();
      const names = [`--lab-naming=${naming}`];
      const fleet = ['fleet', '--vehicle-ids=1', '--simulated-time', ...names];
      lab.startProgram(process.execPath, cliProgram, ...fleet);
      const clock = echo<{ clock: { sec: number; nanosec: number } }>(lab, 'clock');
      const flags = ['--simulated-time', '--periods=100', ...names];
      const middleware = lab.startMiddleware(...nodeFlags, ...flags);
      await clock.untilMatched();
      const controller = rosController(lab, 1);
      expect(await middleware.ended).toEqual({ code: 0, signal: null });
      const { start_signals, vehicles } = middleware.summary();
      expect(start_signals).toBe(100);
      expect(vehicles[1]?.distance_m).toBeGreaterThan(2);
      const starts = controller.startSignals.items.map(({ list }) => list.t_now);
      const reported = clock.messages.items.map(({ clock: { sec, nanosec } }) =>
        BigInt(Math.round(sec * 1e9 + nanosec)),
      );
      // The first times may pass before the middleware discovers the reader.
      expect(reported.length).toBeGreaterThan(0);
      expect(starts).toEqual(expect.arrayContaining(reported));
    },
  );
});

describe('a node with the names of ROS 2 on plain DDS', () => {
  it('has its log on /rosout, also for a late joiner, and its state on /diagnostics', async () => {
    const lab = openTestLab();
    const middleware = lab.startMiddleware(...nodeFlags, '--ros-args', '-r', '__ns:=/lab');
    await middleware.untilLogged('waiting for controllers');
    const log = echo<{ level: number; name: string; msg: string }>(lab, 'rosout');
    expect(
      await log.messages.until(({ msg }) => msg === 'waiting for controllers: 1'),
    ).toMatchObject({
      level: 20,
      name: 'lab.middleware',
    });
    const diagnostics = echo<{ status: { level: number; name: string; message: string }[] }>(
      lab,
      'diagnostics',
    );
    const { status } = await diagnostics.messages.until(({ status }) => status.length === 2);
    expect(status).toMatchObject([
      { level: 0, name: 'lab/middleware: middleware', message: 'waiting for controllers' },
      { level: 3, name: 'lab/middleware: controller 1', message: 'no ready signal yet' },
    ]);
  });
});
