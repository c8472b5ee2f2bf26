import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  Parameters,
  RosParticipant,
  loadRclnodejs,
  offerControl,
  offerParameters,
} from '../../src/ros2/index.js';
import { runMiddleware } from '../support/middleware.js';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab } from '../support/ros2/ros-lab.js';
import { rosVariables } from '../support/ros2/ros-environment.js';
import { callService } from '../support/ros2/ros-tools.js';

const flags = ['--vehicle-ids=1', '--period-ms=50'];

describeWithRos2('two middlewares with one name', () => {
  it('report each other', async () => {
    const lab = openRosLab();
    const both = [0, 1].map(() => lab.startMiddleware(...flags));
    for (const middleware of both) {
      const { msg } = await middleware.logs.until(({ code }) => code === 'HLC_ROS_NODE_TWICE');
      expect(msg).toMatch(/^Another program has a node "\/middleware", too/);
    }
  });
});

describeWithRos2('a missing message package', () => {
  it('ends the program with one sentence and exit code 2', async () => {
    const lab = openRosLab();
    const program = runMiddleware(lab.uri, [...flags, '--controller-transport=ros2'], {
      variables: { ...rosVariables, ...withoutPackage('hlc_middleware_msgs') },
    });
    expect(await program.ended).toEqual({ code: 2, signal: null });
    const sentences = program.stderr.items.filter((line) => !line.startsWith('{'));
    expect(sentences).toEqual([
      expect.stringMatching(/The ROS 2 type hlc_middleware_msgs\/.*\[HLC_ROS_MESSAGES\]$/),
    ]);
  });
});

/** The environment of this process without the folders that have this package. */
function withoutPackage(name: string): NodeJS.ProcessEnv {
  const listed = (variable: string) => (process.env[variable] ?? '').split(':');
  const [having, others] = [true, false].map((has) =>
    listed('AMENT_PREFIX_PATH').filter(
      (prefix) =>
        existsSync(path.join(prefix, 'share/ament_index/resource_index/packages', name)) === has,
    ),
  ) as [string[], string[]];
  const libraries = listed('LD_LIBRARY_PATH').filter(
    (folder) => !having.some((prefix) => folder.startsWith(`${prefix}/`)),
  );
  return { AMENT_PREFIX_PATH: others.join(':'), LD_LIBRARY_PATH: libraries.join(':') };
}

describeWithRos2('a callback that throws', () => {
  it('within a service is reported, and ends nothing', async () => {
    const lab = openRosLab();
    Object.assign(process.env, rosVariables, { CYCLONEDDS_URI: lab.uri });
    const faults: unknown[] = [];
    const participant = await RosParticipant.open(await loadRclnodejs(), {
      domainId: lab.controllerDomain,
      name: 'broken',
      rosArguments: [],
      useSimTime: false,
      startTypeDescription: true,
      writtenVehicles: 1,
      onFault: (fault) => faults.push(fault),
    });
    onTestFinished(() => participant.close());
    const fail = () => {
      throw new Error('broken');
    };
    const parameters = new Parameters([]);
    parameters.list = fail;
    offerParameters(participant.handle, parameters);
    offerControl(participant.handle, {
      pause: fail,
      resume: () => 'here',
      step: fail,
      runUntil: fail,
    });
    const call = (name: string) => callService(lab, `/broken/${name}`, 'std_srvs/srv/Trigger');
    expect(await call('pause')).toEqual({ success: false, message: 'broken' });
    const asker = lab.start(
      ...[
        'ros2',
        'service',
        'call',
        '/broken/list_parameters',
        'rcl_interfaces/srv/ListParameters',
      ],
    );
    await expect.poll(() => faults, { timeout: 20_000 }).toHaveLength(2);
    asker.signal('SIGINT');
    expect(await call('resume')).toEqual({ success: true, message: 'here' });
  });
});
