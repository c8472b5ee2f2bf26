import { expect, it } from 'vitest';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab, rosLanguages } from '../support/ros2/ros-lab.js';

/** Misses alone never stop a vehicle in these tests. */
const flags = [
  ...['--vehicle-ids=1', '--period-ms=50', '--miss-policy=stop', '--miss-limit=1000000'],
] as const;

describeWithRos2.each(rosLanguages)('a controller in ROS 2 with %s', (language) => {
  it('is noticed when it is gone', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1');
    const middleware = lab.startMiddleware(...flags);
    const controller = lab.controller(language, [1]);
    const type = 'hlc_middleware_msgs/msg/VehicleCommandSpeedCurvature';
    const topic = '/vehicle_command_speed_curvature';
    const commands = lab.start('ros2', 'topic', 'echo', topic, type, '--csv');
    await commands.stdout.untilCount(10);
    controller.signal('SIGINT');
    const { cause } = await middleware.untilLogged('vehicle 1 is being stopped');
    expect(cause).toBe('gone');
  });

  it('is distinguished from a second one with the same id, whose commands do not count', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1');
    const middleware = lab.startMiddleware(...flags);
    lab.controller(language, [1]);
    await middleware.untilLogged('all controllers are ready');
    lab.controller(language === 'cpp' ? 'python' : 'cpp', [1]);
    await middleware.untilLogged('a second process signs in or commands as controller 1');
    await middleware.untilLogged('command refused');
    middleware.signal('SIGTERM');
    await middleware.ended;
    const { commands_refused, controllers } = middleware.summary();
    expect(commands_refused.HLC_COMMAND_OTHER_WRITER).toBeGreaterThan(0);
    expect(controllers[1]?.replies).toBeGreaterThan(0);
  });
});

describeWithRos2('--ros-identity=none', () => {
  it('serves controllers without telling them apart, and warns of it', async () => {
    const lab = openRosLab();
    const middleware = lab.startMiddleware(...flags, '--ros-identity=none', '--periods=20');
    await middleware.untilLogged('controllers are not identified');
    lab.controller('cpp', [1]);
    expect((await middleware.ended).code).toBe(0);
    expect(middleware.summary().controllers[1]?.replies).toBeGreaterThan(0);
  });
});
