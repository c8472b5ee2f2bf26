import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { addonDefinitions, cmakeBuild } from '../../tools/build-native.mjs';

const folder = 'build/native-asan';

/** What a program needs in its environment to run with the sanitizers. */
export type SanitizerEnvironment = Readonly<Record<'HLC_NATIVE_ADDON' | 'LD_PRELOAD', string>>;

/**
 * The runtime of AddressSanitizer, which must be in the process before the program: Node itself is
 * not built with it.
 * @returns its path, or why it cannot be used
 */
export function findRuntime(): { path: string } | { missing: string } {
  const name = 'libasan.so';
  // A compiler that has no such file repeats the name.
  const found = execFileSync('c++', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();
  if (found === name) return { missing: `the compiler c++ has no ${name}` };
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
 * Builds the add-on with AddressSanitizer and UndefinedBehaviorSanitizer as far as it is not up to
 * date; the first time it takes half a minute.
 * @param runtime path of the runtime of AddressSanitizer
 * @throws Error with the output of cmake when the build fails.
 */
export function buildSanitizedAddon(runtime: string): SanitizerEnvironment {
  cmakeBuild('src/dds/native', folder, { ...addonDefinitions(), SANITIZE: 'address,undefined' });
  return { HLC_NATIVE_ADDON: path.resolve(folder, 'hlc_dds.node'), LD_PRELOAD: runtime };
}
