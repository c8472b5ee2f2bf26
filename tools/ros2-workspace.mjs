// The packages for ROS 2 of this project, built with colcon as users build them, for the tests and
// the benchmark with a real ROS 2, which start in the environment that such a workspace gives.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { root } from './paths.mjs';
import { fingerprint, remember, upToDate } from './stamps.mjs';

/** Packages of ROS 2 that the tests use; the tests isolate themselves with settings of Cyclone DDS. */
const neededPackages = [
  ...['rclcpp', 'rclpy', 'rmw_cyclonedds_cpp', 'launch_ros', 'launch_xml'],
  ...[
    'ros2launch',
    'ros2lifecycle',
    'ros2node',
    'ros2param',
    'ros2run',
    'ros2service',
    'ros2topic',
  ],
];

const folders = ['ros2', 'examples/ros2-python', 'examples/ros2-cpp', 'bench/ros2'];
const workspace = path.join(root, 'build/ros2-workspace');
const stamp = 'ROS 2 workspace';
/** Where the set-up builds it, when it can; the packages take it from there. */
const rclnodejs = path.join(root, 'build/ros2/node_modules/rclnodejs');

/** @param {string} name */
function isSourced(name) {
  return (process.env.AMENT_PREFIX_PATH ?? '')
    .split(':')
    .some((prefix) =>
      existsSync(path.join(prefix, 'share/ament_index/resource_index/packages', name)),
    );
}

/** Why the packages cannot be built in this environment; undefined when they can. */
export function whyNoRos2InShell() {
  const { ROS_DISTRO = '', AMENT_PREFIX_PATH = '' } = process.env;
  if (ROS_DISTRO === '' || AMENT_PREFIX_PATH === '') return 'no ROS 2 is sourced';
  const missing = neededPackages.filter((name) => !isSourced(name));
  if (missing.length > 0) return `the ROS 2 that is sourced has no ${missing.join(', ')}`;
  if (spawnSync('colcon', ['--help']).status !== 0) return 'colcon cannot be found';
  return undefined;
}

/** Why the tests with a real ROS 2 cannot run in this environment; undefined when they can. */
export function whyNoRos2() {
  const missing = whyNoRos2InShell();
  if (missing !== undefined || isSourced('hlc_middleware_msgs')) return missing;
  return 'the packages of this project are not sourced, which "npm run test:ros2" does';
}

/**
 * Builds the packages where they have changed.
 * @returns {NodeJS.ProcessEnv} the environment once they are sourced; where there is no ROS 2, this one
 */
export function ros2WorkspaceEnvironment() {
  if (whyNoRos2InShell() !== undefined) return process.env;
  const wanted = fingerprint(
    [...folders, 'launch', 'src', 'idl', 'package-lock.json', 'tools/ros2-workspace.mjs'],
    [process.env.AMENT_PREFIX_PATH ?? '', existsSync(rclnodejs) ? 'with rclnodejs' : 'without'],
  );
  const setupFile = path.join(workspace, 'install/local_setup.sh');
  if (!upToDate(stamp, wanted) || !existsSync(setupFile)) {
    process.stderr.write('ros2: building the packages with colcon …\n');
    mkdirSync(workspace, { recursive: true });
    const paths = folders.map((folder) => path.join(root, folder));
    execFileSync('colcon', ['build', '--merge-install', '--base-paths', ...paths], {
      cwd: workspace,
      stdio: 'inherit',
    });
    remember(stamp, wanted);
  }
  // In a shell with set-up files of ROS 2 that know no strict mode.
  const script = '. "$0" >/dev/null && env -0';
  const sourced = execFileSync('sh', ['-c', script, setupFile], { encoding: 'utf8' });
  const variables = sourced.split('\0').filter((line) => line.includes('='));
  return Object.fromEntries(
    variables.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
