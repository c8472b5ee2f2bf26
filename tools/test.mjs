// `npm test`: the checks of the code, then every suite; ends with one line that adds all up.
// `npm test -- unit` runs the named parts only: types, lint, format, exports, or a suite. The suite
// interop needs tools of other languages, and tsan a build of its own, so they take part when they are
// named, and on CI. The suite ros2 needs a sourced ROS 2; without one its tests count as skipped.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { alignedTable, readFaultRows } from './fault-table.mjs';
import { root } from './paths.mjs';
import { ros2WorkspaceEnvironment } from './ros2-workspace.mjs';

/** @param {string} script below node_modules */
const bin = (script) => path.join(root, 'node_modules', script);

/** Each counts as one test. @type {Record<string, string[]>} */
const checks = {
  types: [bin('typescript/bin/tsc'), '--noEmit', '-p', '.'],
  lint: [bin('eslint/bin/eslint.js'), '--max-warnings', '0', '.'],
  format: [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  exports: [bin('knip/bin/knip.js')],
};

const suites = [
  'unit',
  'conformance',
  'fuzz',
  'asan',
  'tsan',
  'integration',
  'faults',
  'ros2',
  'interop',
];

/** A further reporter of a suite. @type {Record<string, string[]>} */
const reporters = { interop: ['--reporter=./test/interop/matrix-reporter.ts'] };

/** What a suite needs in its environment. @type {Record<string, () => NodeJS.ProcessEnv>} */
const environments = { ros2: ros2WorkspaceEnvironment };

const totals = { passed: 0, failed: 0, skipped: 0 };

/** Lines about what failed, or passed at a later try only. @type {string[]} */
const troubles = [];

/** @param {string[]} args @param {NodeJS.ProcessEnv} [added] environment */
function node(args, added = {}) {
  const env = { ...process.env, ...added };
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status;
}

/** @param {string} name */
function runCheck(name) {
  const passed = node(checks[name] ?? []) === 0;
  console.log(`${passed ? 'passed' : 'FAILED'}: ${name}`);
  if (!passed) troubles.push(`failed: ${name}`);
  totals[passed ? 'passed' : 'failed']++;
}

/** @param {string} name */
function runSuite(name) {
  const report = path.join(root, 'build/test-reports', `${name}.json`);
  const troublesFile = path.join(root, 'build/test-reports', `${name}-troubles.json`);
  for (const file of [report, troublesFile]) rmSync(file, { force: true });
  mkdirSync(path.dirname(report), { recursive: true });
  const args = [
    bin('vitest/vitest.mjs'),
    'run',
    '--project',
    name,
    '--reporter=default',
    '--reporter=json',
    '--reporter=./test/support/tries-reporter.ts',
    ...(reporters[name] ?? []),
    `--outputFile.json=${report}`,
  ];
  const environment = environments[name]?.() ?? {};
  const status = node(args, { ...environment, HLC_TEST_TROUBLES: troublesFile });
  const counted = /** @type {Counts | undefined} */ (readJson(report));
  const found = /** @type {Trouble[] | undefined} */ (readJson(troublesFile)) ?? [];
  for (const { test, failed, reason } of found)
    troubles.push(`${failed ? 'failed' : 'passed at a later try'}: ${test}: ${reason}`);
  if (name === 'faults' && counted !== undefined) console.log(alignedTable(readFaultRows(report)));
  totals.passed += counted?.numPassedTests ?? 0;
  totals.skipped += (counted?.numPendingTests ?? 0) + (counted?.numTodoTests ?? 0);
  // A suite that broke without a failed test (a file that cannot be loaded) has failed, too.
  totals.failed += Math.max(counted?.numFailedTests ?? 0, status === 0 ? 0 : 1);
}

/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }} Counts
 * @typedef {{ test: string, failed: boolean, reason: string }} Trouble as test/support/tries-reporter.ts writes it
 */

/** @param {string} file @returns {unknown} undefined when there is none */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const wanted = process.argv.slice(2);
const known = [...Object.keys(checks), ...suites];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`test: no part is named ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(2);
}
const onCi = process.env.CI !== undefined;
const onCiOnly = ['interop', 'tsan'];
const usual = known.filter((name) => !onCiOnly.includes(name) || onCi);
const parts = wanted.length > 0 ? wanted : usual;

for (const name of parts) {
  if (name in checks) runCheck(name);
  else runSuite(name);
}
for (const line of troubles) console.log(line);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
