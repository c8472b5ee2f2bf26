// Makes everything that `npm start` and `npm test` need, from a fresh clone on a machine that has
// Node, a C++ compiler, make, cmake and apt. Runs before both; a step whose inputs have not changed
// since it last succeeded is not done again. Nothing here may need a package of node_modules.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { addonDefinitions, cmakeBuild, prefixPath } from './build-native.mjs';
import { installRclnodejs } from './install-rclnodejs.mjs';
import { root } from './paths.mjs';
import { fingerprint, remember, upToDate } from './stamps.mjs';

/** A reason that the user can do something about. */
class SetupError extends Error {}

/** @param {string} program */
function onPath(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

function checkTools() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 20)) {
    throw new SetupError(
      `Node ${process.versions.node} is too old; install Node 20.20 or newer and start again.`,
    );
  }
  const missing = ['c++', 'make', 'cmake'].filter((program) => !onPath(program));
  if (missing.length > 0) {
    throw new SetupError(
      `${missing.join(', ')} cannot be found; install a C++ compiler, make and cmake (on Debian and Ubuntu: "apt-get install g++ make cmake") and start again.`,
    );
  }
}

/** Is Cyclone DDS with its headers in this installation prefix? */
function hasCyclone(/** @type {string} */ prefix) {
  const triplet = spawnSync('c++', ['-print-multiarch'], { encoding: 'utf8' }).stdout.trim();
  return ['lib', `lib/${triplet}`, 'lib64'].some((lib) =>
    existsSync(path.join(prefix, lib, 'cmake/CycloneDDS/CycloneDDSConfig.cmake')),
  );
}

const cyclonePackages = ['cyclonedds-dev', 'cyclonedds-tools'];

function installCyclone() {
  const named = prefixPath().some(hasCyclone);
  const system = ['/usr', '/usr/local'].some(hasCyclone) && onPath('idlc');
  if (named || system) return;
  const command = `apt-get install ${cyclonePackages.join(' ')}`;
  const asRoot = process.getuid?.() === 0;
  if (!onPath('apt-get') || (!asRoot && !onPath('sudo'))) {
    throw new SetupError(
      `Cyclone DDS 0.10 with its headers and idlc cannot be found, and it cannot be installed from here; run "${command}" as root, or put the prefix of an installation into CMAKE_PREFIX_PATH, and start again.`,
    );
  }
  say(`installing ${cyclonePackages.join(' and ')} with apt-get`);
  /** @param {string[]} args */
  const apt = (...args) => {
    const [program, ...rest] = asRoot ? ['apt-get', ...args] : ['sudo', 'apt-get', ...args];
    return spawnSync(program, rest, {
      stdio: ['inherit', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status;
  };
  apt('update');
  if (apt('install', '--yes', '--no-install-recommends', ...cyclonePackages) !== 0) {
    throw new SetupError(
      `The packages ${cyclonePackages.join(' and ')} could not be installed; run "${command}" by hand, see what it says, and start again.`,
    );
  }
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

/**
 * Runs a program of the build; its output is shown only when it fails.
 * @param {string} program
 * @param {string[]} args
 */
function run(program, args) {
  execFileSync(program, args, { cwd: root, stdio: 'pipe' });
}

/** @param {string} project */
function compile(project) {
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project]);
}

const toolchain = () => [process.version, process.arch, ...prefixPath()];

/** Whether `npm ci` or `npm install` ran after the lock file was written. */
function installedByHand() {
  const installed = path.join(root, 'node_modules/.package-lock.json');
  const locked = path.join(root, 'package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs;
}

/**
 * @typedef {{
 *   name: string,
 *   inputs: string[],
 *   result: string,
 *   alreadyMade?: () => boolean,
 *   make: () => void,
 * }} Step
 */

/**
 * In this order; each with the files and folders that decide whether it must be done again, and
 * one of its results, so that a deleted build folder is noticed.
 * @type {Step[]}
 */
const steps = [
  {
    name: 'npm packages',
    inputs: ['package-lock.json'],
    result: 'node_modules/.package-lock.json',
    alreadyMade: installedByHand,
    make: () => run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund']),
  },
  {
    name: 'codecs, message files and type list from idl/',
    inputs: ['idl', 'tools/codegen', 'package-lock.json'],
    result: 'build/idl/topic-types.json',
    make: () => run(process.execPath, ['tools/codegen/main.mjs']),
  },
  {
    name: 'protobuf messages from proto/',
    inputs: ['proto', 'buf.yaml', 'buf.gen.yaml', 'package-lock.json'],
    result: 'src/gateways/generated/carla_pb.ts',
    make: () => run('node_modules/.bin/buf', ['generate']),
  },
  {
    name: 'DDS add-on',
    inputs: [
      'idl',
      'src/dds/native',
      'tools/codegen',
      'tools/build-native.mjs',
      'package-lock.json',
    ],
    result: 'build/native/hlc_dds.node',
    make: () => cmakeBuild('src/dds/native', 'build/native', addonDefinitions()),
  },
  {
    name: 'C example',
    inputs: ['idl', 'examples/c'],
    result: 'build/examples/c/controller',
    make: () => cmakeBuild('examples/c', 'build/examples/c'),
  },
  {
    name: 'TypeScript',
    inputs: ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'idl', 'proto'],
    result: 'dist/cli/start.js',
    make: () => compile('tsconfig.build.json'),
  },
  {
    name: 'page of the observer',
    inputs: [
      'src/observe/page',
      'src/observe/live/page-protocol.ts',
      'tools/page.vite.config.mjs',
      'package-lock.json',
    ],
    result: 'dist/observe/page/index.html',
    make: () =>
      run(process.execPath, [
        ...['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
        ...['--config', 'tools/page.vite.config.mjs'],
      ]),
  },
  {
    name: 'program of few files',
    inputs: ['src', 'tools/bundle.mjs', 'package-lock.json', 'idl', 'proto'],
    result: 'dist/cli/main.js',
    make: () => run(process.execPath, ['tools/bundle.mjs']),
  },
  {
    name: 'TypeScript example',
    inputs: ['src', 'examples/typescript', 'tsconfig.json', 'package-lock.json', 'idl', 'proto'],
    result: 'build/examples/typescript/oval-controller.js',
    make: () => compile('examples/typescript/tsconfig.build.json'),
  },
];

function setup() {
  checkTools();
  installCyclone();
  for (const step of steps) {
    const wanted = fingerprint(step.inputs, toolchain());
    const made = upToDate(step.name, wanted) || step.alreadyMade?.() === true;
    if (made && existsSync(path.join(root, step.result))) continue;
    const started = Date.now();
    say(`making ${step.name} …`);
    step.make();
    remember(step.name, fingerprint(step.inputs, toolchain()));
    say(`made ${step.name} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
  installRclnodejs(say);
}

try {
  setup();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const { stdout, stderr } = /** @type {{ stdout?: Buffer, stderr?: Buffer }} */ (error);
  process.stderr.write(`${stdout?.toString() ?? ''}${stderr?.toString() ?? ''}`);
  say(
    error instanceof SetupError
      ? error.message
      : `${error.message.split('\n')[0]}; the output above says why.`,
  );
  process.exit(1);
}
