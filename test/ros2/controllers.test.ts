import { expect, it } from 'vitest';
import type { ChildProgram } from '../support/child-program.js';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab, rosLanguages } from '../support/ros2/ros-lab.js';

/** A node lives on after a session; Ctrl-C ends it without a word about a failure. */
async function endsWithInterrupt(controller: ChildProgram): Promise<void> {
  controller.signal('SIGINT');
  expect(await controller.ended).toEqual({ code: 0, signal: null });
  expect(controller.stderr.items.join('\n')).not.toContain('Traceback');
}

describeWithRos2.each(rosLanguages)('a controller in ROS 2 with %s', (language) => {
  it('is served in real time', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1,2');
    const controller = lab.controller(language, [1, 2]);
    const middleware = lab.startMiddleware('--vehicle-ids=1,2', '--period-ms=50', '--periods=100');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    await endsWithInterrupt(controller);
    const { start_signals, controllers, samples_malformed } = middleware.summary();
    expect(start_signals).toBe(100);
    expect(samples_malformed).toEqual({});
    for (const id of [1, 2]) expect(controllers[id]?.replies).toBeGreaterThan(50);
  });

  it('is served in simulated time, and misses nothing', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1,2');
    const controller = lab.controller(language, [1, 2]);
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1,2', '--period-ms=50', '--periods=300'],
      ...['--simulated-time', '--time-source=self'],
    );
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    await endsWithInterrupt(controller);
    const { start_signals, controllers, commands_refused } = middleware.summary();
    expect(start_signals).toBe(300);
    expect(commands_refused).toEqual({});
    for (const id of [1, 2]) {
      expect(controllers[id]).toMatchObject({ replies: 300, misses: 0 });
    }
  });

  it('ends with Ctrl-C in the middle of simulated time, without a traceback', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1', '--simulated-time');
    const controller = lab.controller(language, [1]);
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1', '--period-ms=50', '--simulated-time'],
    );
    await middleware.untilLogged('all controllers are ready');
    await endsWithInterrupt(controller);
  });

  it('is served when it comes later than the middleware', async () => {
    const lab = openRosLab();
    const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50', '--periods=20');
    await middleware.untilLogged('waiting for controllers');
    lab.controller(language, [1]);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(middleware.summary().start_signals).toBe(20);
  });
});
