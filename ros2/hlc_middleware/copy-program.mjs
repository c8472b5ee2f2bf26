// Copies the program of this folder with the npm packages that it needs at run time, so that the
// installed ROS package needs neither this folder nor npm.
//
//   node copy-program.mjs FROM TO
//
// FROM is a clone after `npm run setup`, or an installed npm package. The messages of the ROS packages
// that are sourced are generated for rclnodejs, so that TO is never written to again.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const [from = '', to = ''] = process.argv.slice(2);

/** What the program is made of; those that are absent are not needed by it. */
const parts = [
  'package.json',
  'LICENSE',
  'dist',
  'qos',
  'build/native/hlc_dds.node',
  'build/examples/c/controller',
  'build/examples/typescript',
  'build/ros2/node_modules',
];

/** What a native build leaves beside its result, with absolute paths. @param {string} file */
function isLeftOver(file) {
  return /[/]build[/](Release[/](obj\.target|\.deps|obj)|config\.gypi|Makefile|.*\.mk)$/.test(file);
}

/**
 * The folder of a package that a package in this folder imports.
 * @param {string} name @param {string} folder
 * @returns {string}
 */
function packageFolder(name, folder) {
  const found = path.join(folder, 'node_modules', name);
  if (existsSync(path.join(found, 'package.json'))) return found;
  const above = path.dirname(folder);
  if (above === folder) throw new Error(`The npm package ${name} cannot be found.`);
  return packageFolder(name, above);
}

/** @param {string} folder @returns {string[]} */
function dependenciesOf(folder) {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { dependencies } = /** @type {{ dependencies?: Record<string, string> }} */ (manifest);
  return Object.keys(dependencies ?? {});
}

/**
 * Copies what a package imports: beside the others, or below its own copy where there is another
 * version beside them.
 * @param {string} folder of the package @param {string} copy of the package
 */
function copyDependencies(folder, copy) {
  for (const name of dependenciesOf(folder)) {
    const source = packageFolder(name, folder);
    const beside = path.join(to, 'node_modules', name);
    const holder = copied.get(name);
    if (holder === source) continue;
    const target = holder === undefined ? beside : path.join(copy, 'node_modules', name);
    if (holder === undefined) copied.set(name, source);
    const own = path.join(source, 'node_modules');
    cpSync(source, target, { recursive: true, filter: (file) => file !== own });
    copyDependencies(source, target);
  }
}

/** Folders of the packages beside each other, by name. @type {Map<string, string>} */
const copied = new Map();

rmSync(to, { recursive: true, force: true });
for (const part of parts) {
  const source = path.join(from, part);
  const target = path.join(to, part);
  if (!existsSync(source)) continue;
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(source, target, { recursive: true, filter: (file) => !isLeftOver(file) });
}
copyDependencies(from, to);

const generator = path.join(to, 'build/ros2/node_modules/rclnodejs/scripts/generate_messages.cjs');
if (existsSync(generator)) execFileSync(process.execPath, [generator], { stdio: 'inherit' });
