import { expect, it } from 'vitest';
import { describeWithRos2 } from '../support/ros2/describe-with-ros2.js';
import { openRosLab } from '../support/ros2/ros-lab.js';

const echo = [
  ...['topic', 'echo', '/diagnostics', 'diagnostic_msgs/msg/DiagnosticArray', '--csv'],
] as const;

describeWithRos2('/diagnostics', () => {
  it('follow a controller from its absence to its end', async () => {
    const lab = openRosLab();
    lab.startFleet('--vehicle-ids=1');
    const listener = lab.start('ros2', ...echo);
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1', '--period-ms=50', '--miss-policy=stop'],
    );
    const until = (...fields: string[]) =>
      listener.stdout.until((line) => line.includes(`,${fields.join(',')},`));
    const name = 'middleware: controller 1';
    // In CSV a level is a byte as Python prints it.
    await until(String.raw`b'\x03'`, name, 'no ready signal yet');
    const controller = lab.controller('python', [1]);
    await until(String.raw`b'\x00'`, name, 'replies');
    await until(String.raw`b'\x00'`, 'middleware: middleware', 'running');
    controller.signal('SIGKILL');
    await until(String.raw`b'\x02'`, name, 'stopped until it is resumed');
    middleware.signal('SIGTERM');
    expect((await middleware.ended).code).toBe(143);
  });

  it('come every second, also of a node that is not active', async () => {
    const lab = openRosLab();
    const listener = lab.start('ros2', ...echo);
    lab.startMiddleware('--vehicle-ids=1', '--period-ms=50', '--autostart=false');
    const isIdle = (line: string) => line.includes(',middleware: middleware,unconfigured,');
    let reported = 0;
    await listener.stdout.until((line) => isIdle(line) && ++reported === 4);
    const seconds = listener.stdout.items.filter(isIdle).map((line) => Number(line.split(',')[0]));
    const [first = 0] = seconds;
    const last = seconds.at(-1) ?? 0;
    expect(last - first).toBeGreaterThanOrEqual(2);
    expect(last - first).toBeLessThanOrEqual(5);
  });
});
