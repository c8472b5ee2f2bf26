import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cmakeBuild } from '../../tools/build-native.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A language with an example and a probe. */
export interface Language {
  /** As in the matrix. */
  readonly name: string;
  /** What it needs and this machine lacks, in words for a user; undefined when all is there. */
  missing(): string | undefined;
  /** Makes example and probe, as far as they are not up to date, as the README of the example says. */
  build(): void;
  /** Commands with their first arguments; both take `--vehicle-id` and `--domain`. */
  readonly example: readonly string[];
  readonly probe: readonly string[];
}

const built = (file: string) => path.join(root, 'build', file);

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: root, stdio: 'pipe' });
}

/** The first of these that succeeds as a command, or else what is missing. */
export function missingTool(
  tools: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  const missing = Object.entries(tools).find(([, [command = '', ...args]]) => {
    return spawnSync(command, args, { stdio: 'ignore' }).status !== 0;
  });
  return missing?.[0];
}

/** Crates of the example need it: Rust 1.89. */
const oldestRust = 89;

function missingRust(): string | undefined {
  const { stdout } = spawnSync('cargo', ['--version'], { encoding: 'utf8' });
  const [, minor] = /^cargo 1\.(\d+)/.exec(stdout) ?? [];
  return Number(minor ?? 0) < oldestRust ? `Rust 1.${oldestRust} or newer` : undefined;
}

/** Each generated file includes all of Fast DDS: compiled together, they take a fifth of the time. */
const inOneUnit = { CMAKE_UNITY_BUILD: 'ON', CMAKE_UNITY_BUILD_BATCH_SIZE: '0' };

const python = built('examples/python/bin/python');

/** All languages that have an example. */
export const languages: readonly Language[] = [
  {
    name: 'C',
    missing: () => undefined, // the set-up needs the same
    build() {
      cmakeBuild('examples/c', 'build/examples/c');
      cmakeBuild('test/interop/c', 'build/interop/c');
    },
    example: [built('examples/c/controller')],
    probe: [built('interop/c/probe')],
  },
  {
    name: 'C++',
    missing: () =>
      missingTool({
        fastddsgen: ['fastddsgen', '-version'],
        'Fast DDS (libfastrtps-dev)': ['test', '-e', '/usr/include/fastdds/dds/topic/Topic.hpp'],
      }),
    build() {
      cmakeBuild('examples/cpp', 'build/examples/cpp', inOneUnit);
      cmakeBuild('test/interop/cpp', 'build/interop/cpp', inOneUnit);
    },
    example: [built('examples/cpp/controller')],
    probe: [built('interop/cpp/probe')],
  },
  {
    name: 'Python',
    missing: () =>
      missingTool({ 'python3 with venv': ['python3', '-c', 'import ensurepip, venv'] }),
    build() {
      if (!existsSync(python)) run('python3', '-m', 'venv', 'build/examples/python');
      run(python, '-m', 'pip', 'install', '--quiet', '-r', 'examples/python/requirements.txt');
    },
    example: [python, path.join(root, 'examples/python/controller.py')],
    probe: [python, path.join(root, 'test/interop/python/probe.py')],
  },
  {
    name: 'Rust',
    missing: missingRust,
    build() {
      // The probe has the example's controller, too. With the manifest of the example, crates that it has in common
      // with the probe have fewer features, and are compiled a second time.
      const inShort = process.env.HLC_TEST_LENGTH === 'short';
      for (const folder of ['test/interop/rust', ...(inShort ? [] : ['examples/rust'])]) {
        const manifest = ['--manifest-path', `${folder}/Cargo.toml`];
        run('cargo', 'build', '--locked', ...manifest, '--target-dir', 'build/examples/rust');
      }
    },
    example: [built('examples/rust/debug/controller')],
    probe: [built('examples/rust/debug/probe')],
  },
  {
    name: 'TypeScript',
    missing: () => undefined,
    build() {
      const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
      run(process.execPath, tsc, '-p', 'examples/typescript/tsconfig.build.json');
    },
    example: [process.execPath, built('examples/typescript/oval-controller.js')],
    probe: [process.execPath, path.join(root, 'test/interop/typescript/probe.mjs')],
  },
];
