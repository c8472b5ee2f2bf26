// `npm test`: the checks of the code, then every suite; ends with one line that adds all up.
// `npm test -- unit` runs the named parts only: types, lint, format, exports, or a suite. The suite
// interop needs tools of other languages, so it takes part when it is named, and on CI.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { alignedTable, readFaultRows } from './fault-table.mjs';
import { root } from './paths.mjs';

/** @param {string} script below node_modules */
const bin = (script) => path.join(root, 'node_modules', script);

/** Each counts as one test. @type {Record<string, string[]>} */
const checks = {
  types: [bin('typescript/bin/tsc'), '--noEmit', '-p', '.'],
  lint: [bin('eslint/bin/eslint.js'), '--max-warnings', '0', '.'],
  format: [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  exports: [bin('knip/bin/knip.js')],
};

const suites = ['unit', 'conformance', 'fuzz', 'asan', 'integration', 'faults', 'interop'];

/** A further reporter of a suite. @type {Record<string, string[]>} */
const reporters = { interop: ['--reporter=./test/interop/matrix-reporter.ts'] };

const totals = { passed: 0, failed: 0, skipped: 0 };

/** @param {string[]} args */
function node(args) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status;
}

/** @param {string} name */
function runCheck(name) {
  const passed = node(checks[name] ?? []) === 0;
  console.log(`${passed ? 'passed' : 'FAILED'}: ${name}`);
  totals[passed ? 'passed' : 'failed']++;
}

/** @param {string} name */
function runSuite(name) {
  const report = path.join(root, 'build/test-reports', `${name}.json`);
  rmSync(report, { force: true });
  mkdirSync(path.dirname(report), { recursive: true });
  const status = node([
    bin('vitest/vitest.mjs'),
    'run',
    '--project',
    name,
    '--reporter=default',
    '--reporter=json',
    ...(reporters[name] ?? []),
    `--outputFile.json=${report}`,
  ]);
  const counted = readReport(report);
  if (name === 'faults' && counted !== undefined) console.log(alignedTable(readFaultRows(report)));
  totals.passed += counted?.numPassedTests ?? 0;
  totals.skipped += (counted?.numPendingTests ?? 0) + (counted?.numTodoTests ?? 0);
  // A suite that broke without a failed test (a file that cannot be loaded) has failed, too.
  totals.failed += Math.max(counted?.numFailedTests ?? 0, status === 0 ? 0 : 1);
}

/**
 * @param {string} file
 * @returns {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number } | undefined}
 */
function readReport(file) {
  try {
    /** @type {unknown} */
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return /** @type {ReturnType<typeof readReport>} */ (report);
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
const usual = known.filter((name) => name !== 'interop' || onCi);
const parts = wanted.length > 0 ? wanted : usual;

for (const name of parts) {
  if (name in checks) runCheck(name);
  else runSuite(name);
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
