import { beforeAll, describe, expect, it } from 'vitest';
import { builtPeers } from '../../peers/build-peers.js';
import { openTestLab } from '../../support/test-lab.js';

let peers: ReturnType<typeof builtPeers>;

beforeAll(() => {
  peers = builtPeers();
});

/** `node NAMESPACE NAME READERS WRITERS` of a program that listens to the announcements. */
function node(line: string) {
  const [, fullName, readers, writers] = /^node (.*) (\d+) (\d+)$/.exec(line) ?? [];
  return { fullName, readers: Number(readers), writers: Number(writers) };
}

/** Readers and writers of a node as "ros2 node info" lists them; two of one kind in one line. */
function info(lines: readonly string[], name: string): string[] {
  const found = lines.flatMap((line) => {
    const [kind = '', owner, topic = '', type = ''] = line.split(' ');
    const known = type.replace('hlc_middleware_msgs::msg::dds_::', '');
    return ['reader', 'writer'].includes(kind) && owner === name
      ? [`${kind} ${topic} ${known}`]
      : [];
  });
  return [...new Set(found)].sort();
}

/** The vehicle of the node drives on, whatever it is sent: the end of a run waits for it no longer. */
const shortEnd = ['--end-timeout-ms=100'];

describe('a side with the names of ROS 2', () => {
  it('serves controllers there, while the lab has plain DDS', async () => {
    const lab = openTestLab();
    const vehicles = lab.vehicles();
    const controller = lab.startProgram(peers['ros-node'], 'controller', '1');
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--simulated-time',
      '--time-source=self',
      '--node-id=lab 2/middleware',
      '--controller-naming=ros2',
    );
    // Commands of four kinds with two readers each, ready signals, stop requests.
    const announced = await controller.stdout.until(
      (line) => node(line).fullName === '/ lab_2_middleware' && node(line).readers >= 10,
    );
    expect(node(announced).writers).toBeGreaterThanOrEqual(3);
    await vehicles.commands.untilCount(10);
    middleware.signal('SIGINT');
    expect(await middleware.ended).toEqual({ code: 130, signal: null });

    const { start_signals, controllers, commands_refused } = middleware.summary();
    expect(commands_refused).toEqual({});
    expect(controllers[1]?.replies).toBeGreaterThanOrEqual(10);
    const received = () => controller.stdout.items.filter((line) => line.startsWith('start '));
    await controller.stdout.until(() => received().length >= start_signals);
    const starts = received();
    expect(starts).toHaveLength(start_signals);
    expect(new Set(starts).size).toBe(start_signals);
    // At the end of a run the middleware stops the vehicle by commands of its own.
    const forwarded = vehicles.commands.items.filter(({ createNs }) =>
      starts.includes(`start ${createNs}`),
    );
    expect(forwarded.length).toBeGreaterThanOrEqual(controllers[1]?.replies ?? 0);
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
      ...shortEnd,
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

  it('has node and topics where the ROS arguments put them', async () => {
    const lab = openTestLab();
    const inNamespace = (...topics: string[]) => topics.map((name) => `${name}:=lab/one/${name}`);
    const vehicle = lab.startProgram(
      peers['ros-node'],
      'vehicle',
      '0',
      ...inNamespace('vehicle_state', 'vehicle_command_direct'),
    );
    const controller = lab.startProgram(
      peers['ros-node'],
      'controller',
      '1',
      'vehicle_state_list:=starts',
      ...inNamespace('vehicle_command_direct', 'ready_status'),
    );
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--naming=ros2',
      ...shortEnd,
      '--ros-args',
      ...['-r', '__ns:=/lab/one', '-r', '__node:=mw', '-r', 'vehicle_state_list:=/starts'],
      ...['-r', 'other:vehicle_state:=/elsewhere', '-r', '/lab/one/system_trigger:=~/trigger'],
    );
    await vehicle.stdout.until((line) => line.startsWith('command '));
    await controller.stdout.until(() => info(controller.stdout.items, 'mw').length === 11);
    middleware.signal('SIGINT');
    await middleware.ended;

    for (const { stdout } of [controller, vehicle]) {
      const names = stdout.items.map((line) => node(line).fullName);
      expect(new Set(names.filter((name) => name !== undefined))).toEqual(new Set(['/lab/one mw']));
    }
    expect(info(controller.stdout.items, 'mw')).toEqual([
      'reader rt/lab/one/ready_status ReadyStatus_',
      'reader rt/lab/one/stop_request StopRequest_',
      'reader rt/lab/one/vehicle_command_direct VehicleCommandDirect_',
      'reader rt/lab/one/vehicle_command_path_tracking VehicleCommandPathTracking_',
      'reader rt/lab/one/vehicle_command_speed_curvature VehicleCommandSpeedCurvature_',
      'reader rt/lab/one/vehicle_command_trajectory VehicleCommandTrajectory_',
      'writer rt/diagnostics diagnostic_msgs::msg::dds_::DiagnosticArray_',
      'writer rt/lab/one/commonroad_dds_goal_states CommonroadDDSGoalState_',
      'writer rt/lab/one/mw/trigger SystemTrigger_',
      'writer rt/rosout rcl_interfaces::msg::dds_::Log_',
      'writer rt/starts VehicleStateList_',
    ]);
    const ofVehicles = info(vehicle.stdout.items, 'mw');
    expect(ofVehicles).toContain('reader rt/lab/one/vehicle_state VehicleState_');
    const { controllers, vehicles } = middleware.summary();
    expect(controllers[1]?.replies).toBeGreaterThan(0);
    expect(vehicles[1]?.states_received).toBeGreaterThan(0);
  });

  it('reports another middleware whose node has the same name', async () => {
    const lab = openTestLab();
    const flags = ['--period-ms=50', '--controller-naming=ros2', '--node-id=twin'];
    const elsewhere = ['--ros-args', '-r', '__ns:=/elsewhere'];
    const apart = lab.startMiddleware('--vehicle-ids=3', ...flags, ...elsewhere);
    await apart.untilLogged('waiting for controllers');
    const one = lab.startMiddleware('--vehicle-ids=1', ...flags);
    await one.untilLogged('waiting for controllers');
    const two = lab.startMiddleware('--vehicle-ids=2', ...flags);
    for (const middleware of [one, two]) {
      const reported = await middleware.logs.until(({ code }) => code === 'HLC_ROS_NODE_TWICE');
      expect(reported).toMatchObject({ level: 40, domain: 1 });
      expect(reported.msg).toContain('has a node "/twin", too');
    }
    const warnings = [apart, one, two].map(
      ({ logs }) => logs.items.filter(({ code }) => code === 'HLC_ROS_NODE_TWICE').length,
    );
    expect(warnings).toEqual([0, 1, 1]);
  });
});
