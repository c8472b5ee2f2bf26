import { expect, it } from 'vitest';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab, type RosLab } from '../support/ros2/ros-lab.js';
import { callService } from '../support/ros2/ros-tools.js';

const source = ['--simulated-time', '--time-source=self'];
const flags = ['--vehicle-ids=1', '--period-ms=50', ...source];
const clockType = 'rosgraph_msgs/msg/Clock';

/** Another publisher of `/clock`, with this time, s. */
async function otherClock(lab: RosLab, seconds: number): Promise<void> {
  const message = `{clock: {sec: ${seconds}}}`;
  const other = lab.start('ros2', 'topic', 'pub', '--rate', '10', '/clock', clockType, message);
  await other.stdout.until((line) => line.startsWith('publishing'));
}

describeWithRos2('/clock', () => {
  it('has the time of every step where the middleware is the source', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1');
    const listener = lab.start('ros2', 'topic', 'echo', '/clock', clockType, '--csv');
    const middleware = lab.startMiddleware(...flags, '--real-time-factor=1', '--periods=100');
    const controller = lab.controller('python', [1]);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });
    controller.signal('SIGINT');
    expect(await controller.ended).toEqual({ code: 0, signal: null });
    const times = listener.stdout.items
      .map((line) => /^(\d+),(\d+)$/.exec(line))
      .flatMap((parts) => (parts === null ? [] : [Number(parts[1]) * 1e9 + Number(parts[2])]));
    expect(new Set(times).size).toBeGreaterThan(90);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // The last step; the first one is that of --offset-nanoseconds.
    expect(times.at(-1)).toBe(99 * 50_000_000 + 1);
  });

  it('is refused to the middleware when another node publishes it', async () => {
    const lab = openRosLab();
    await otherClock(lab, 77);
    const middleware = lab.startMiddleware(...flags);
    expect(await middleware.ended).toEqual({ code: 2, signal: null });
    const sentences = middleware.program.stderr.items.filter((line) => !line.startsWith('{'));
    expect(sentences).toEqual([
      expect.stringMatching(/The node \/\S+ publishes \/clock, .*\[HLC_ROS_CLOCK_TAKEN\]$/),
    ]);
  });

  it('has the time of the lab where that is the source, and vehicles move', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1', '--simulated-time');
    const listener = lab.start('ros2', 'topic', 'echo', '/clock', clockType, '--csv');
    lab.controller('python', [1]);
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1', '--period-ms=50', '--simulated-time'],
    );
    await listener.stdout.until((line) => /^\d+,\d+$/.test(line));
    await middleware.untilLogged('all controllers are ready');
    await listener.stdout.untilCount(200);
    middleware.signal('SIGTERM');
    await middleware.ended;
    expect(middleware.summary().vehicles[1]?.distance_m).toBeGreaterThan(1);
  });

  it('is left to another node that publishes it, where the lab is the source', async () => {
    const lab = openRosLab();
    await otherClock(lab, 77);
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1', '--period-ms=50', '--simulated-time'],
    );
    const { msg } = await middleware.logs.until(({ code }) => code === 'HLC_ROS_CLOCK_LEFT');
    expect(msg).toContain('so this middleware does not');
  });

  it('is what the stamps of the node follow with use_sim_time, where the lab says the time', async () => {
    const lab = openRosLab();
    await otherClock(lab, 77);
    const listener = lab.start(
      ...['ros2', 'topic', 'echo', '/diagnostics', 'diagnostic_msgs/msg/DiagnosticArray', '--csv'],
    );
    lab.startMiddleware(
      ...['--vehicle-ids=1', '--period-ms=50', '--simulated-time'],
      ...['--ros-args', '-p', 'use_sim_time:=true'],
    );
    await listener.stdout.until((line) => line.startsWith('77,'));
  });
});

describeWithRos2('the services', () => {
  it('pause, step, run until a time and go on', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1');
    lab.controller('python', [1]);
    const middleware = lab.startMiddleware(...flags, '--real-time-factor=1');
    await middleware.untilLogged('all controllers are ready');
    const trigger = (name: string) =>
      callService(lab, `/middleware/${name}`, 'std_srvs/srv/Trigger');
    const step = (count: number) =>
      callService(lab, '/middleware/step', 'hlc_middleware_msgs/srv/Step', `{count: ${count}}`);

    expect(await trigger('pause')).toMatchObject({ success: true });
    const paused = stepsOf((await trigger('pause')).message);
    expect(await step(3)).toMatchObject({ success: true });
    // A second pause changes nothing and returns the status.
    await expect.poll(async () => stepsOf((await trigger('pause')).message)).toBe(paused + 3);

    const untilNs = (paused + 9) * 50_000_000 + 1;
    const { success } = await callService(
      ...([lab, '/middleware/run_until', 'hlc_middleware_msgs/srv/RunUntil'] as const),
      `{time_ns: ${untilNs}}`,
    );
    expect(success).toBe(true);
    await expect.poll(async () => stepsOf((await trigger('pause')).message)).toBe(paused + 10);

    expect(await step(0)).toEqual({
      success: false,
      message: 'The request is refused: count must be 1 or more.',
    });
    expect(await trigger('resume')).toMatchObject({ success: true });
    await expect
      .poll(async () => stepsOf((await trigger('resume')).message))
      .toBeGreaterThan(paused + 10);
  });

  it('say what cannot be done in real time, and without a session', async () => {
    const lab = openRosLab();
    lab.startMiddleware('--vehicle-ids=1', '--period-ms=50', '--node-id=real');
    const idle = lab.startMiddleware(...flags, '--node-id=idle', '--autostart=false');
    await idle.untilLogged('unconfigured');
    const pause = (node: string) => callService(lab, `/${node}/pause`, 'std_srvs/srv/Trigger');
    expect(await pause('real')).toEqual({
      success: false,
      message:
        'The steps of a middleware in real time cannot be controlled; start it with --simulated-time.',
    });
    expect(await pause('idle')).toMatchObject({
      success: false,
      message: expect.stringMatching(/^The node is unconfigured/) as string,
    });
  });
});

/** How many steps there were, in the message of an answer. */
function stepsOf(message: string): number {
  return Number(/start signals: (\d+)/.exec(message)?.[1]);
}
