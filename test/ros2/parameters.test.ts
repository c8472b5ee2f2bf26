import { expect, it } from 'vitest';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab } from '../support/ros2/ros-lab.js';
import { lookYourself } from '../support/ros2/ros-tools.js';

const node = '/lab/mw';

// Every command of ROS 2 looks for the node anew.
describeWithRos2('the flags as parameters', { timeout: 240_000 }, () => {
  it('are listed, read and described, and those of the start cannot be set', async () => {
    const lab = openRosLab();
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1,3', '--log-level=info'],
      ...['--ros-args', '-r', '__ns:=/lab', '-r', '__node:=mw', '-p', 'period_ms:=20'],
    );
    await middleware.untilLogged('waiting for controllers');
    const param = (verb: string, ...args: string[]) =>
      lab.ros2('param', verb, node, ...args, ...lookYourself);

    const names = (await param('list')).output.map((line) => line.trim());
    expect(names).toEqual(expect.arrayContaining(['period_ms', 'vehicle_ids', 'use_sim_time']));

    expect((await param('get', 'period_ms')).output).toEqual(['Double value is: 20.0']);
    expect((await param('get', 'vehicle_ids')).output).toEqual(['Integer values are: [1, 3]']);
    expect((await param('get', 'simulated_time')).output).toEqual(['Boolean value is: False']);
    expect((await param('get', 'dds_domain')).output).toEqual(['Integer value is: 0']);

    const described = (await param('describe', 'period_ms')).output.map((line) => line.trim());
    expect(described).toEqual(
      expect.arrayContaining(['Type: double', 'Read only: true', 'Min value: 0.1']),
    );

    const refused = await param('set', 'period_ms', '50.0');
    expect([...refused.output, ...refused.errors].join()).toContain('"period_ms" is read-only');
    expect((await param('get', 'period_ms')).output).toEqual(['Double value is: 20.0']);

    expect((await param('set', 'log_level', 'debug')).output).toEqual(['Set parameter successful']);
    expect((await param('get', 'log_level')).output).toEqual(['String value is: debug']);
    const wrong = await param('set', 'log_level', 'loud');
    expect([...wrong.output, ...wrong.errors].join()).toContain('must be one of fatal, error');
  });
});
