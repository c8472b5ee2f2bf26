import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { addonDefinitions, cmakeBuild } from '../../tools/build-native.mjs';
import { ChildProgram, type ProgramEnd } from '../support/child-program.js';
import { isolatedCycloneUri } from '../support/isolation.js';

/** Sanitizers that one build of the add-on has, and the runtime that they need. */
export interface Sanitizers {
  /** Of the build folder. */
  readonly name: string;
  /** Value of `-fsanitize`. */
  readonly flag: string;
  readonly runtime: string;
}

/** How a program ended and what it wrote. */
export interface SanitizedRun {
  readonly end: ProgramEnd;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/**
 * The runtime of the sanitizers, which must be in the process before the program: Node itself is not
 * built with it.
 * @returns its path, or why it cannot be used
 */
export function findRuntime({ runtime }: Sanitizers): { path: string } | { missing: string } {
  // A compiler that has no such file repeats the name.
  const found = execFileSync('c++', [`-print-file-name=${runtime}`], { encoding: 'utf8' }).trim();
  if (found === runtime) return { missing: `the compiler c++ has no ${runtime}` };
  const probe = spawnSync(process.execPath, ['-e', '0'], {
    env: { ...process.env, LD_PRELOAD: found },
    encoding: 'utf8',
  });
  if (probe.status === 0 && probe.stderr === '') return { path: found };
  const said = probe.stderr.split('\n')[0] ?? '';
  return {
    missing: `Node does not run with ${found} (exit code ${probe.status ?? 'none'}: ${said})`,
  };
}

/**
 * Builds the add-on with the sanitizers as far as it is not up to date; the first time it takes half
 * a minute.
 * @param runtimePath see `findRuntime`
 * @returns runs a program of this folder, or of another one below test/, with that add-on
 * @throws Error with the output of cmake when the build fails.
 */
export function buildSanitizedAddon({ name, flag }: Sanitizers, runtimePath: string) {
  const folder = `build/native-${name}`;
  cmakeBuild('src/dds/native', folder, { ...addonDefinitions(), SANITIZE: flag });
  return async (
    program: string,
    args: readonly string[],
    options: NodeJS.ProcessEnv,
  ): Promise<SanitizedRun> => {
    const script = fileURLToPath(new URL(program, import.meta.url));
    const child = new ChildProgram(
      program,
      process.execPath,
      [script, ...args],
      isolatedCycloneUri(),
      {
        variables: {
          HLC_NATIVE_ADDON: path.resolve(folder, 'hlc_dds.node'),
          LD_PRELOAD: runtimePath,
          ...options,
        },
      },
    );
    const end = await child.ended;
    return { end, stdout: child.stdout.items, stderr: child.stderr.items };
  };
}
