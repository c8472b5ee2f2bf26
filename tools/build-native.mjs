// Builds the DDS add-on (src/dds/native) and the C example with cmake, against the Cyclone DDS that
// cmake finds: CMAKE_PREFIX_PATH and a sourced ROS 2 installation come before the system's.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { root } from './paths.mjs';

const require = createRequire(import.meta.url);

/** Where cmake looks for packages: what the user names, then a sourced ROS 2. */
export function prefixPath(env = process.env) {
  return [env.CMAKE_PREFIX_PATH, env.AMENT_PREFIX_PATH]
    .flatMap((list) => (list ?? '').split(':'))
    .filter((folder) => folder !== '');
}

/**
 * Configures and builds one cmake project.
 * @param {string} source folder with CMakeLists.txt, relative to the project
 * @param {string} target build folder, relative to the project
 * @param {Record<string, string>} [definitions] cmake cache entries
 */
export function cmakeBuild(source, target, definitions = {}) {
  const prefixes = prefixPath();
  // Two test files may build the same folder at once: cmake runs for one after the other.
  mkdirSync(path.join(root, target), { recursive: true });
  const lock = path.join(root, target, '.lock');
  /** @param {string[]} args */
  const cmake = (...args) =>
    execFileSync('flock', [lock, 'cmake', ...args], { cwd: root, stdio: 'pipe' });
  cmake(
    '-S',
    source,
    '-B',
    target,
    '-DCMAKE_BUILD_TYPE=Release',
    // Found anew: a sourced ROS 2 may have come or gone since the last time.
    '-UCycloneDDS_DIR',
    ...(prefixes.length > 0 ? [`-DCMAKE_PREFIX_PATH=${prefixes.join(';')}`] : []),
    ...Object.entries(definitions).map(([key, value]) => `-D${key}=${value}`),
  );
  cmake('--build', target, '--parallel', '2');
}

/**
 * The cmake definitions of the add-on; the headers of Node come from npm packages, so that nothing
 * is downloaded.
 */
export function addonDefinitions() {
  return {
    NODE_HEADERS: path.join(path.dirname(require.resolve('node-api-headers')), 'include'),
    NODE_ADDON_API: path.dirname(require.resolve('node-addon-api')),
    IDL_DIR: path.join(root, 'idl'),
    ROS_IDL_DIR: path.join(root, 'build/idl/ros2'),
    TOPIC_TYPES: path.join(root, 'build/idl/topic-types.json'),
  };
}
