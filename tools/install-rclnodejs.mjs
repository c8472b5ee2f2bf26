// Installs rclnodejs, the client library for the transport ros2, where a ROS 2 is sourced; without
// one it does nothing. `npm install`, `npm ci` and the set-up call it. It goes into a folder of its
// own: as an optional dependency it would fail for 20 s on every machine without ROS 2, npm does not
// install optional peers even on request, and a folder of its own outlives an `npm ci`.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';
import { fingerprint, remember, upToDate } from './stamps.mjs';

const stamp = 'rclnodejs';

/** Which ROS 2 is sourced: what decides whether rclnodejs must be built again. */
function sourced() {
  const { ROS_DISTRO = '', AMENT_PREFIX_PATH = '' } = process.env;
  if (ROS_DISTRO === '' || AMENT_PREFIX_PATH === '') return undefined;
  // rclnodejs looks for the headers beside this program.
  const ros2 = spawnSync('sh', ['-c', 'command -v ros2'], { encoding: 'utf8' }).stdout.trim();
  return ros2 === '' ? undefined : [ROS_DISTRO, ros2, process.version, process.arch];
}

function wantedVersion() {
  const file = readFileSync(path.join(root, 'package.json'), 'utf8');
  /** @type {unknown} */
  const manifest = JSON.parse(file);
  const { peerDependencies } = /** @type {{ peerDependencies: { rclnodejs: string } }} */ (
    manifest
  );
  return peerDependencies.rclnodejs;
}

/**
 * Makes sure that rclnodejs is there, built for the ROS 2 that is sourced.
 * @param {(text: string) => void} say
 */
export function installRclnodejs(say) {
  const ros = sourced();
  if (ros === undefined) return;
  const wanted = fingerprint(['tools/install-rclnodejs.mjs'], [wantedVersion(), ...ros]);
  const folder = path.join(root, 'build/ros2');
  if (upToDate(stamp, wanted) && existsSync(path.join(folder, 'node_modules/rclnodejs'))) return;
  say(`installing rclnodejs ${wantedVersion()} for ROS 2 ${ros[0]} …`);
  try {
    mkdirSync(folder, { recursive: true });
    const manifest = { private: true, dependencies: { rclnodejs: wantedVersion() } };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
    // Its set-up starts a program with npx, and must not be asked whether it may.
    const env = { ...process.env, npm_config_yes: 'true', INIT_CWD: folder };
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'pipe',
      env,
    });
    remember(stamp, wanted);
    say('installed rclnodejs');
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout?: Buffer, stderr?: Buffer }} */ (error);
    process.stderr.write(`${stdout?.toString() ?? ''}${stderr?.toString() ?? ''}`);
    // ROS 2 may be sourced by chance, and everything but the transport ros2 works without it.
    say('rclnodejs could not be installed, so the transport ros2 is not there; see above why');
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  installRclnodejs((text) => process.stderr.write(`${text}\n`));
}
