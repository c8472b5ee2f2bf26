import { expect, it } from 'vitest';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab } from '../support/ros2/ros-lab.js';
import { lookYourself, setState, untilListened } from '../support/ros2/ros-tools.js';

const flags = ['--vehicle-ids=1', '--period-ms=50'];
const node = '/middleware';
const done = ['Transitioning successful'];

// Every command of ROS 2 looks for the node anew.
describeWithRos2('the managed node', { timeout: 240_000 }, () => {
  it('is driven through its life by "ros2 lifecycle set"', async () => {
    const lab = openRosLab();
    const middleware = lab.startMiddleware(...flags, '--autostart=false');
    await middleware.untilLogged('unconfigured');
    expect((await lab.ros2('lifecycle', 'nodes', ...lookYourself)).output).toEqual([node]);
    const state = async () => (await lab.ros2('lifecycle', 'get', node, ...lookYourself)).output;
    expect(await state()).toEqual(['unconfigured [1]']);

    expect((await setState(lab, node, 'activate')).errors.join()).toContain('Unknown transition');
    expect((await setState(lab, node, 'configure')).output).toEqual(done);
    expect(await state()).toEqual(['inactive [2]']);
    expect(middleware.logged('waiting for controllers')).toEqual([]);

    expect((await setState(lab, node, 'activate')).output).toEqual(done);
    await middleware.untilLogged('waiting for controllers');
    expect(await state()).toEqual(['active [3]']);
    expect((await setState(lab, node, 'deactivate')).output).toEqual(done);
    expect((await setState(lab, node, 'cleanup')).output).toEqual(done);
    expect(await state()).toEqual(['unconfigured [1]']);

    expect((await setState(lab, node, 'shutdown')).output).toEqual(done);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
  });

  it('activates itself, unless --autostart=false is given, and ends with SIGINT from any state', async () => {
    const lab = openRosLab();
    const itself = lab.startMiddleware(...flags, '--node-id=itself');
    const waits = lab.startMiddleware(...flags, '--node-id=waits', '--autostart=false');
    await itself.untilLogged('waiting for controllers');
    await waits.untilLogged('unconfigured');
    const { output } = await lab.ros2('lifecycle', 'get', ...lookYourself);
    expect(output.toSorted()).toEqual(['/itself: active [3]', '/waits: unconfigured [1]']);
    for (const middleware of [itself, waits]) {
      middleware.signal('SIGINT');
      expect(await middleware.ended).toEqual({ code: 130, signal: null });
    }
  });

  it('begins a new session, which waits for all controllers, each time it is activated', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1');
    const middleware = lab.startMiddleware(...flags);
    await middleware.untilLogged('waiting for controllers');
    const controller = lab.controller('python', [1]);
    await middleware.untilLogged('all controllers are ready');

    expect((await setState(lab, node, 'deactivate')).output).toEqual(done);
    await controller.stderr.until((line) => line.includes('the session is over'));
    expect((await setState(lab, node, 'activate')).output).toEqual(done);
    await middleware.logs.until(() => middleware.logged('waiting for controllers').length === 2);
    // The controller lives on, and its ready signal is kept.
    await middleware.logs.until(() => middleware.logged('all controllers are ready').length === 2);

    middleware.signal('SIGTERM');
    expect(await middleware.ended).toEqual({ code: 143, signal: null });
    expect(controller.gone).toBe(false);
    const { start_signals, controllers } = middleware.summary();
    expect(start_signals).toBeGreaterThan(1);
    expect(controllers[1]?.replies).toBeGreaterThan(1);
  });

  it('reports its transitions', async () => {
    const lab = openRosLab();
    const middleware = lab.startMiddleware(...flags, '--autostart=false');
    await middleware.untilLogged('unconfigured');
    const topic = `${node}/transition_event`;
    const echo = lab.start('ros2', 'topic', 'echo', topic, 'lifecycle_msgs/msg/TransitionEvent');
    await untilListened(lab, topic);
    expect((await setState(lab, node, 'configure')).output).toEqual(done);
    await echo.stdout.until((line) => line === '  label: inactive');
    const labels = echo.stdout.items.filter((line) => line.startsWith('  label: '));
    expect(labels.map((line) => line.slice('  label: '.length))).toEqual([
      ...['configure', 'unconfigured', 'configuring'],
      ...['transition_success', 'configuring', 'inactive'],
    ]);
  });

  it('answers with the graph of its life, and with every arrow from its state', async () => {
    const lab = openRosLab();
    const middleware = lab.startMiddleware(...flags);
    await middleware.untilLogged('waiting for controllers');
    const list = async (...more: string[]) => {
      const { output } = await lab.ros2('lifecycle', 'list', node, ...more, ...lookYourself);
      return output.filter((line) => line.startsWith('- '));
    };
    expect(await list()).toEqual(['- deactivate [4]', '- shutdown [7]']);
    expect(await list('--all')).toHaveLength(25);
  });

  it('stays unconfigured when the lab does not answer, and says why', async () => {
    const lab = openRosLab();
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1', '--parameter-timeout-ms=300', '--autostart=false'],
    );
    await middleware.untilLogged('unconfigured');
    expect((await setState(lab, node, 'configure')).errors).toEqual(['Transitioning failed']);
    const { output } = await lab.ros2('lifecycle', 'get', node, ...lookYourself);
    expect(output).toEqual(['unconfigured [1]']);
    const { code } = await middleware.logs.until((line) => 'code' in line);
    expect(code).toBe('HLC_PARAMETER_TIMEOUT');
    expect((await setState(lab, node, 'shutdown')).output).toEqual(done);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
  });

  it('becomes inactive when its session is over, where others drive it', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1');
    lab.controller('python', [1]);
    const middleware = lab.startMiddleware(...flags, '--autostart=false', '--periods=10');
    await middleware.untilLogged('unconfigured');
    expect((await setState(lab, node, 'configure')).output).toEqual(done);
    expect((await setState(lab, node, 'activate')).output).toEqual(done);
    await middleware.logs.until(({ from, to }) => from === 'deactivating' && to === 'inactive');
    expect((await setState(lab, node, 'shutdown')).output).toEqual(done);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(middleware.summary().start_signals).toBe(10);
  });
});
