import { expect, it } from 'vitest';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab } from '../support/ros2/ros-lab.js';

describeWithRos2('the guard of a run with controllers in ROS 2', () => {
  it('stops the vehicles when the run is killed', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1');
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1', '--period-ms=50', '--miss-policy=stop', '--guard'],
      // Misses alone never stop the vehicle.
      '--miss-limit=1000000',
    );
    lab.controller('python', [1]);
    await middleware.untilLogged('the guard watches');
    await middleware.untilLogged('all controllers are ready');
    const type = 'hlc_middleware_msgs/msg/VehicleCommandSpeedCurvature';
    const topic = '/vehicle_command_speed_curvature';
    const commands = lab.start('ros2', 'topic', 'echo', topic, type, '--csv');
    await commands.stdout.untilCount(10);
    // The run alone; the guard is in the same process group.
    process.kill(middleware.program.pid ?? 0, 'SIGKILL');
    // The guard is a process of its own, whose log goes on.
    await middleware.untilLogged('no status from the middleware');
    const { node } = await middleware.untilLogged('vehicle 1 stands');
    expect(node).toBe('guard of middleware');
  });
});
