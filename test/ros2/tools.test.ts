import { expect, it } from 'vitest';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab } from '../support/ros2/ros-lab.js';

describeWithRos2('the tools of ROS 2', () => {
  it('see the topics of the node with their types', async () => {
    const lab = openRosLab();
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
    await middleware.untilLogged('waiting for controllers');
    const { output } = await lab.ros2('topic', 'list', '-t', '--no-daemon', '--spin-time', '3');
    expect(output).toEqual(
      expect.arrayContaining([
        '/ready_status [hlc_middleware_msgs/msg/ReadyStatus]',
        '/system_trigger [hlc_middleware_msgs/msg/SystemTrigger]',
        '/vehicle_command_direct [hlc_middleware_msgs/msg/VehicleCommandDirect]',
        '/vehicle_command_speed_curvature [hlc_middleware_msgs/msg/VehicleCommandSpeedCurvature]',
        '/vehicle_state_list [hlc_middleware_msgs/msg/VehicleStateList]',
      ]),
    );
  });

  it('see the node, what it publishes and what it subscribes to', async () => {
    const lab = openRosLab();
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1', '--period-ms=50', '--node-id=mw'],
      ...['--ros-args', '-r', '__ns:=/lab'],
    );
    await middleware.untilLogged('waiting for controllers');
    const waiting = ['--no-daemon', '--spin-time', '3'];
    const { output: nodes } = await lab.ros2('node', 'list', ...waiting);
    expect(nodes).toEqual(['/lab/mw']);
    const { output: info } = await lab.ros2('node', 'info', '/lab/mw', ...waiting);
    const subscribers = info.slice(info.indexOf('  Subscribers:'), info.indexOf('  Publishers:'));
    const publishers = info.slice(info.indexOf('  Publishers:'));
    expect(subscribers).toContain('    /lab/ready_status: hlc_middleware_msgs/msg/ReadyStatus');
    expect(publishers).toContain(
      '    /lab/vehicle_state_list: hlc_middleware_msgs/msg/VehicleStateList',
    );
  });

  it('measure the rate of start signals', async () => {
    const lab = openRosLab();
    lab.controller('cpp', [1]);
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
    await middleware.untilLogged('all controllers are ready');
    const hz = lab.start('ros2', 'topic', 'hz', '/vehicle_state_list', '--window', '40');
    // A busy machine may skip periods now and then.
    await hz.stdout.until((line) => {
      const [, rate] = /^average rate: ([\d.]+)$/.exec(line) ?? [];
      return Math.abs(Number(rate) - 20) < 1;
    });
  });

  it('show a start signal with all its fields', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=7');
    lab.controller('cpp', [7]);
    const middleware = lab.startMiddleware('--vehicle-ids=7', '--period-ms=50');
    await middleware.untilLogged('all controllers are ready');
    const type = 'hlc_middleware_msgs/msg/VehicleStateList';
    const echo = lab.start('ros2', 'topic', 'echo', '/vehicle_state_list', type);
    await echo.stdout.until((line) => line === 'period_ms: 50');
    await echo.stdout.until((line) => line === '- vehicle_id: 7');
    await echo.stdout.until((line) => /^ {2}battery_voltage: [\d.]+$/.test(line));
  });

  it('show the log of the node on /rosout, also to a late joiner', async () => {
    const lab = openRosLab();
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1', '--period-ms=50', '--ros-args', '-r', '__ns:=/lab'],
    );
    await middleware.untilLogged('waiting for controllers');
    const echo = lab.start('ros2', 'topic', 'echo', '/rosout', '--csv');
    await echo.stdout.until((line) =>
      line.includes(',20,lab.middleware,waiting for controllers: 1'),
    );
  });
});
