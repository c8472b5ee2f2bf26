import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openRosLab } from '../support/ros2/ros-lab.js';
import { lookYourself, untilListened } from '../support/ros2/ros-tools.js';

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

    const eventType = 'rcl_interfaces/msg/ParameterEvent';
    const events = lab.start('ros2', 'topic', 'echo', '/parameter_events', eventType, '--csv');
    const topics = await lab.ros2('topic', 'list', ...lookYourself);
    expect(topics.output).not.toContain('/lab/parameter_events');
    await untilListened(lab, '/parameter_events');

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
    await events.stdout.until((line) => line.includes('/lab/mw') && line.includes('debug'));
    const wrong = await param('set', 'log_level', 'loud');
    expect([...wrong.output, ...wrong.errors].join()).toContain('must be one of fatal, error');
  });

  it('are taken from -p, and from what "ros2 param dump" wrote of another node', async () => {
    const lab = openRosLab();
    const first = lab.startMiddleware(
      ...['--ros-args', '-p', 'vehicle_ids:=[1,3]', '-p', 'period_ms:=20.0', '-r', '__node:=mw'],
    );
    await first.untilLogged('waiting for controllers: 1, 3');
    // Each run of a test has a summary file of its own.
    const dump = async () => {
      const { output } = await lab.ros2('param', 'dump', '/mw', ...lookYourself);
      return output.filter((line) => !line.startsWith('    summary:'));
    };
    const dumped = await dump();
    expect(dumped).toContain('    vehicle_ids:');
    first.signal('SIGTERM');
    await first.ended;

    const file = path.join(temporaryFolder(), 'dump.yaml');
    writeFileSync(file, `${dumped.join('\n')}\n`);
    // Domains, transport and the rest come from the file alone.
    const second = lab.startBare('--ros-args', '-r', '__node:=mw', '--params-file', file);
    await second.untilLogged('waiting for controllers: 1, 3');
    expect(await dump()).toEqual(dumped);
  });

  it('refuse an override of QoS, with the flag that does the same', async () => {
    const override = 'qos_overrides./vehicle_state_list.publisher.depth:=3';
    const middleware = openRosLab().startMiddleware(
      ...['--period-ms=50', '--ros-args', '-p', override],
    );
    expect((await middleware.ended).code).toBe(2);
    expect(middleware.program.stderr.items.join()).toContain('--qos-file');
  });
});
