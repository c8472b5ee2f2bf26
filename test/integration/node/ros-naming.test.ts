import { beforeAll, describe, expect, it } from 'vitest';
import { buildPeers } from '../../peers/build-peers.js';
import { openTestLab } from '../../support/test-lab.js';

let peers: ReturnType<typeof buildPeers>;

beforeAll(() => {
  peers = buildPeers();
}, 120_000);

/** `node NAMESPACE NAME READERS WRITERS` of a program that listens to the announcements. */
function node(line: string) {
  const [, fullName, readers, writers] = /^node (.*) (\d+) (\d+)$/.exec(line) ?? [];
  return { fullName, readers: Number(readers), writers: Number(writers) };
}

describe('a side with the names of ROS 2', () => {
  it('serves controllers there, while the lab has plain DDS', async () => {
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    const controller = lab.startProgram(peers['ros-node'], 'controller', '1');
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--periods=40',
      '--node-id=lab 2/middleware',
      '--controller-naming=ros2',
    );
    // Commands of four kinds with two readers each, ready signals, stop requests.
    const announced = await controller.stdout.until(
      (line) => node(line).fullName === '/ lab_2_middleware' && node(line).readers >= 10,
    );
    expect(node(announced).writers).toBeGreaterThanOrEqual(3);
    expect(await middleware.ended).toEqual({ code: 0, signal: null });

    const { start_signals, controllers, commands_refused } = middleware.summary();
    expect(start_signals).toBe(40);
    expect(commands_refused).toEqual({});
    expect(controllers[1]?.replies).toBeGreaterThan(20);
    const starts = controller.stdout.items.filter((line) => line.startsWith('start '));
    expect(starts).toHaveLength(40);
    expect(new Set(starts).size).toBe(40);
    const forwarded = vehicles.commands.items.map(({ createNs }) => `start ${createNs}`);
    expect(forwarded.length).toBeGreaterThanOrEqual(controllers[1]?.replies ?? 0);
    expect(starts).toEqual(expect.arrayContaining(forwarded));
  });

  it('serves vehicles there, while the controllers have plain DDS', async () => {
    const lab = openTestLab();
    const vehicle = lab.startProgram(peers['ros-node'], 'vehicle', '0');
    const controller = lab.controller({ ids: [1] });
    controller.signIn();
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--lab-naming=ros2',
    );
    await vehicle.stdout.until((line) => node(line).fullName === '/ middleware');
    const { list } = await controller.startSignals.until(({ list }) => list.state_list.length > 0);
    expect(list.state_list).toMatchObject([{ vehicle_id: 1, speed: 1.5 }]);
    const command = await vehicle.stdout.until((line) => line.startsWith('command '));
    const sent = controller.sent.map(({ createNs }) => `command ${createNs}`);
    expect(sent).toContain(command);
    middleware.signal('SIGINT');
    await middleware.ended;
    expect(middleware.summary().samples_malformed).toEqual({});
  });

  it('tells of another middleware whose node has the same name', async () => {
    const lab = openTestLab();
    const flags = ['--period-ms=50', '--controller-naming=ros2', '--node-id=twin'];
    const one = lab.startMiddleware('--vehicle-ids=1', ...flags);
    await one.untilLogged('waiting for controllers');
    const two = lab.startMiddleware('--vehicle-ids=2', ...flags);
    for (const middleware of [one, two]) {
      const told = await middleware.logs.until(({ code }) => code === 'HLC_ROS_NODE_TWICE');
      expect(told).toMatchObject({ level: 40, domain: 1 });
      expect(told.msg).toContain('has a node "/twin", too');
    }
  });
});
