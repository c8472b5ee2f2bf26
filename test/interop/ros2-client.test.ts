import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { rosTypes, topics } from '../../src/messages/index.js';
import { commandTopics } from '../support/commands.js';
import { skipWithout } from '../support/skip-without.js';
import { openInteropLab, timeModes, type TimeMode } from './interop-lab.js';
import { languages } from './languages.js';
import { contentOf, expectedContent, expectedLine, probePeriods, runProbe } from './probe-run.js';

const rust = languages.find(({ name }) => name === 'Rust');
const missing = rust?.missing();
const probe = [
  path.join(
    fileURLToPath(new URL('../../', import.meta.url)),
    'build/examples/rust/debug/ros2-probe',
  ),
];

/** The readers and writers of the middleware on the controller side, by their topics in `idl/`. */
const endpoints = {
  reader: [
    topics.readyStatus,
    topics.stopRequest,
    topics.vehicleCommandDirect,
    topics.vehicleCommandPathTracking,
    topics.vehicleCommandSpeedCurvature,
    topics.vehicleCommandTrajectory,
  ],
  writer: [topics.commonroad_dds_goal_states, topics.systemTrigger, topics.vehicleStateList],
};

/** Topics of a node of ROS 2 beside those in `idl/`, with the hashes of their types in Jazzy. */
const ofEveryNode = [
  'writer rt/diagnostics diagnostic_msgs::msg::dds_::DiagnosticArray_ typehash=RIHS01_5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e;',
  'writer rt/rosout rcl_interfaces::msg::dds_::Log_ typehash=RIHS01_e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac;',
];
const ofSimulatedTime =
  'writer rt/clock rosgraph_msgs::msg::dds_::Clock_ typehash=RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564;';

/** What a program of ROS 2 finds out about them: name, type, and hash of the type. */
const found = Object.entries(endpoints).flatMap(([kind, its]) =>
  its.map(({ name, typeName }) => {
    const words = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const type = `hlc_middleware_msgs::msg::dds_::${typeName}_`;
    return `${kind} rt/${words} ${type} typehash=${rosTypes[typeName]?.hash ?? ''};`;
  }),
);

describe('a node of ROS 2 with the Rust crate ros2-client', () => {
  skipWithout(missing && `${missing} is missing`);

  beforeAll(() => {
    if (missing === undefined) rust?.build();
  }, 600_000);

  it.each(Object.keys(timeModes) as TimeMode[])(
    'sees the middleware as a node, gets every list, and drives its vehicle, in %s',
    async (mode) => {
      const naming = ['--controller-naming=ros2', '--node-id=lab.2'];
      const { world, lines, commands, middleware } = await runProbe(probe, mode, ...naming);
      expect(lines).toContain('node /lab_2');
      const seen = lines.filter((line) => line.includes(' rt/'));
      const clock = mode === 'simulated time' ? [ofSimulatedTime] : [];
      expect(seen.sort()).toEqual([...found, ...ofEveryNode, ...clock].sort());

      const starts = lines.filter((line) => /^\d/.test(line));
      const times = starts.map((line) => BigInt(line.split(' ')[0] ?? ''));
      expect(starts).toEqual(times.map((tNowNs) => expectedLine(world, tNowNs)));
      expect(starts.length).toBeGreaterThan(probePeriods / 2);

      for (const command of commands) {
        expect(contentOf(command)).toBe(expectedContent(world, command.createNs));
      }
      const kinds = new Set(commands.map(({ kind }) => kind));
      expect(kinds).toEqual(new Set(Object.keys(commandTopics)));
      const { commands_refused, samples_malformed, controllers } = middleware.summary();
      expect({ commands_refused, samples_malformed }).toEqual({
        commands_refused: {},
        samples_malformed: {},
      });
      expect(controllers[7]?.replies).toBeGreaterThan(probePeriods / 2);
    },
  );

  it('is reported in the log when the middleware has the name of its node', async () => {
    const lab = await openInteropLab();
    const flags = [
      '--vehicle-ids=7',
      '--period-ms=50',
      '--controller-naming=ros2',
      '--node-id=ros2_probe',
    ];
    const middleware = lab.startMiddleware('simulated time', ...flags);
    lab.startController(probe, 7);
    const reported = await middleware.logs.until(({ code }) => code === 'HLC_ROS_NODE_TWICE');
    expect(reported.msg).toContain('has a node "/ros2_probe", too');
  });
});
