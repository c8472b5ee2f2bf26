import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { LogLine } from '../support/middleware.js';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab } from '../support/ros2/ros-lab.js';

const flags = ['--vehicle-ids=1', '--period-ms=50', '--wait-for-start=false'];
const start = ['ros2', 'run', 'hlc_middleware', 'hlc-middleware', ...flags] as const;
const withoutSocket = '--control-socket=off';

describeWithRos2('ros2 run hlc_middleware hlc-middleware', () => {
  it('ends cleanly with Ctrl-C, after a stop trigger for the controllers', async () => {
    const lab = openRosLab();
    const middleware = lab.start(...start, withoutSocket);
    const controller = lab.controller('cpp', [1]);
    await middleware.stderr.until((line) => line.includes('all controllers are ready'));
    middleware.signal('SIGINT');
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    expect(middleware.stdout.items).toContainEqual(expect.stringMatching(/^start signals +\d/));
    expect(middleware.stdout.items.join('\n')).not.toContain('[ros2run]');
    await controller.stderr.until((line) => line.includes('the session is over'));
  });

  it('ends cleanly with SIGTERM', async () => {
    const lab = openRosLab();
    const middleware = lab.start(...start, withoutSocket);
    const controller = lab.controller('python', [1]);
    await middleware.stderr.until((line) => line.includes('all controllers are ready'));
    // `ros2 run` does not pass on SIGTERM; a service manager sends it to all processes of a service.
    middleware.signal('SIGTERM');
    await middleware.ended;
    expect(middleware.stdout.items).toContainEqual(expect.stringMatching(/^start signals +\d/));
    await controller.stderr.until((line) => line.includes('the session is over'));
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends with %s whenever during the start it comes', async (signal, code) => {
    const lab = openRosLab();
    for (let afterMs = 200; afterMs <= 1000; afterMs += 100) {
      const middleware = lab.startMiddleware('--vehicle-ids=1', '--period-ms=50');
      await setTimeout(afterMs);
      middleware.signal(signal);
      // Before the program watches signals, the system ends it.
      expect(await middleware.ended).toBeOneOf([
        { code, signal: null },
        { code: null, signal },
      ]);
    }
  });

  it('has its controllers in ROS 2, unless a flag says otherwise', async () => {
    const lab = openRosLab();
    const middleware = lab.start(...start, withoutSocket, '--controller-transport=dds');
    const line = await middleware.stderr.until((text) => text.includes('waiting for controllers'));
    const { lab_domain, controller_domain } = JSON.parse(line) as LogLine;
    expect([lab_domain, controller_domain]).toEqual([0, lab.controllerDomain]);
    const { output } = await lab.ros2('node', 'list', '--no-daemon', '--spin-time', '3');
    expect(output).toEqual([]);
  });

  it('is every other command, too', async () => {
    const { output, code } = await openRosLab().ros2(...start.slice(1, 4), '--version');
    expect({ output, code }).toEqual({
      output: [expect.stringMatching(/^\d+\.\d+\.\d+$/)],
      code: 0,
    });
  });
});
