// `npm run bench`: the product against programs in C that do the same work on the same Cyclone DDS.
// What is measured how: docs/performance.md.

import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { cmakeBuild } from '../tools/build-native.mjs';
import { root } from '../tools/paths.mjs';
import { readCommandLine, usage, UsageError } from './command-line.mjs';
import { describeMachine } from './machine.mjs';
import { measure } from './measure.mjs';
import { killAll } from './program.mjs';
import { records, table } from './report.mjs';
import { rows } from './rows/index.mjs';

/** @import { BenchOptions } from './command-line.mjs' */
/** @import { Spread } from './statistics.mjs' */

/** @param {readonly string[]} names */
function chosenRows(names) {
  for (const name of names) {
    if (rows.some((row) => row.name === name || row.alias === name)) continue;
    const known = rows.map((row) => row.name).join(', ');
    throw new UsageError(`--only: no row is named "${name}"; there are ${known}.`);
  }
  if (names.length === 0) return rows;
  return rows.filter((row) => names.some((name) => name === row.name || name === row.alias));
}

/** @param {Spread} of share of one core */
function percent({ median, least, most }) {
  const [middle, from, to] = [median, least, most].map((share) => (100 * share).toFixed(0));
  return `${middle} % (${from}–${to} %)`;
}

/** @param {BenchOptions} options */
async function bench(options) {
  const chosen = chosenRows(options.only);
  if (!existsSync(path.join(root, 'dist/cli/main.js'))) {
    throw new UsageError('The product is not built; run "npm run setup" first.');
  }
  cmakeBuild('bench/c', 'build/bench');
  console.log(`machine: ${describeMachine()}`);
  const { lines, failures, leftOut, foreignShare } = await measure(chosen, options, (text) => {
    console.error(`bench: ${text}`);
  });
  console.log(`\n${table(lines)}\n`);
  console.log(
    `Medians of ${options.repeat} runs, least and most in brackets; ratio: ours over the C reference.`,
  );
  console.log(`Other programs took ${percent(foreignShare)} of one core during the runs.`);
  for (const { name, load, reason } of leftOut) {
    console.error(`bench: left out: ${name}, ${load}: ${reason}`);
  }
  for (const { name, load, reason } of failures) {
    console.error(`bench: ${name}, ${load}: ${reason}`);
  }
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify(records(lines), null, 2)}\n`);
  }
  return failures.length === 0 ? 0 : 1;
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
