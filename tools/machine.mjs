import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { root } from './paths.mjs';

/**
 * The facts that a measurement depends on: processor, cores, load, versions.
 * @param {string} buildFolder folder of a cmake build against Cyclone DDS, relative to the project
 * @returns {string} one line
 */
export function describeMachine(buildFolder) {
  const cores = os.cpus();
  const load = os.loadavg().map((average) => average.toFixed(2));
  return [
    `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown processor'}`,
    `${os.type()} ${os.release()}`,
    `Node ${process.versions.node}`,
    `Cyclone DDS ${cycloneVersion(buildFolder)}`,
    `load average ${load.join(' ')} before the first run`,
  ].join(', ');
}

/**
 * The version that cmake found.
 * @param {string} buildFolder
 */
function cycloneVersion(buildFolder) {
  const cache = readFileSync(path.join(root, buildFolder, 'CMakeCache.txt'), 'utf8');
  const folder = /^CycloneDDS_DIR:PATH=(.*)$/m.exec(cache)?.[1] ?? '';
  const version = readFileSync(path.join(folder, 'CycloneDDSConfigVersion.cmake'), 'utf8');
  return /set\(PACKAGE_VERSION "([^"]+)"\)/.exec(version)?.[1] ?? 'unknown';
}
