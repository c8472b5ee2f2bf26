import { expect, it } from 'vitest';
import { openDancersLab } from '../support/dancers-lab.js';
import { cliProgram } from '../support/middleware.js';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab } from '../support/ros2/ros-lab.js';

const stepNs = 50_000_000;

describeWithRos2('the coordinator of a DANCERS run as a node of rclnodejs', () => {
  it('publishes the simulated time of each step as /clock', async () => {
    const ros = openRosLab();
    const { config, startSide } = await openDancersLab({
      phy_step_size: stepNs / 1000,
      net_step_size: 100_000,
      simulation_length: 0,
      real_time_factor: 1,
    });
    const clockType = 'rosgraph_msgs/msg/Clock';
    const listener = ros.start('ros2', 'topic', 'echo', '/clock', clockType, '--csv');
    const gateway = ros.start(
      process.execPath,
      ...[cliProgram, 'gateway', 'dancers', `--config=${config}`],
      ...['--lab-side=rclnodejs', `--dds-domain=${ros.controllerDomain}`, '--domain-number=2'],
    );
    await gateway.stderr.until((line) => line.startsWith('the network side is expected'));
    startSide('physics', { quiet: true });
    startSide('network', { quiet: true });
    await listener.stdout.untilCount(50);
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toEqual({ code: 143, signal: null });
    const times = listener.stdout.items.map((line) => {
      const [seconds = NaN, ns = NaN] = line.split(',').map(Number);
      return seconds * 1e9 + ns;
    });
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
    expect(times.filter((ns) => ns % stepNs !== 0)).toEqual([]);
  });
});
