// `npm run bench`: compares the product with programs in C that do the same work on the same
// Cyclone DDS. docs/guide/benchmark.md describes the method.

import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { cmakeBuild } from '../tools/build-native.mjs';
import { root } from '../tools/paths.mjs';
import { readCommandLine, usage, UsageError } from './command-line.mjs';
import { runEndurance } from './endurance.mjs';
import { runGrowth } from './growth.mjs';
import { runPage } from './page.mjs';
import { runProfile } from './profile/profile.mjs';
import { killAll } from './program.mjs';
import { runRows } from './rows-run.mjs';

/** @import { BenchOptions } from './command-line.mjs' */

/** Each mode returns the exit code. */
const modes = {
  rows: runRows,
  profile: runProfile,
  growth: runGrowth,
  endurance: runEndurance,
  page: runPage,
};

/** @param {BenchOptions} options */
function bench(options) {
  if (!existsSync(path.join(root, 'dist/cli/main.js'))) {
    throw new UsageError('The product is not built; run "npm run setup" first.');
  }
  cmakeBuild('bench/c', 'build/bench');
  return modes[options.mode](options);
}

process.on('exit', killAll);
for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])) {
  process.on(signal, () => process.exit(code));
}

try {
  const options = readCommandLine(process.argv.slice(2));
  if (options === 'help') console.log(usage);
  else process.exitCode = await bench(options);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
}
