// `npm test`: what a contributor runs before a pull request. `npm run test:all`: the parts that take
// longer. `npm test -- unit lint`: these parts only. Each run ends with one line that adds all up;
// `--sum` prints that line for all parts that ran since build/test-reports was deleted.
// No test is tried twice. A test that is skipped says why; on CI a skipped test counts as failed. A
// part that needs the software of others is left out as a whole where this is absent, and says why.

import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { faultTable, readFaultRows } from './fault-table.mjs';
import { root } from './paths.mjs';
import { ros2WorkspaceEnvironment, whyNoRos2InShell } from './ros2-workspace.mjs';

/**
 * @typedef {{ test: string, reason: string }} TestAndReason
 * @typedef {{ passed: number, failed: TestAndReason[], skipped: TestAndReason[] }} Outcome as
 *   test/support/outcome-reporter.ts writes it
 * @typedef {object} Part
 * @property {string[]} [check] script below node_modules, with arguments: counts as one test
 * @property {string} [project] of vitest.config.ts; the name of the part unless given
 * @property {boolean} [realTime] has tests that wait for real time: runs beside none of this kind
 * @property {boolean} [measures] has tests that measure to some 10 ms: runs beside none of any kind
 * @property {string} [after] the part that makes what this one needs
 * @property {boolean} [rest] belongs to `npm run test:all`
 * @property {string[]} [reporters] further ones
 * @property {() => NodeJS.ProcessEnv} [environment] added to that of this process
 * @property {() => string | undefined} [missing] why it cannot run here; undefined when it can
 */

const onCi = process.env.CI !== undefined;

/** In the order in which they begin: of those without real time the longest ones first. @type {Record<string, Part>} */
const parts = {
  // The types, too, also those of the page of the observer.
  lint: { check: ['oxlint/bin/oxlint', '-c', 'oxlint.config.mjs', '.'] },
  unit: {},
  format: {
    check: [
      ...['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
      ...['--cache', '--cache-strategy', 'content', '--cache-location', 'build/prettier-cache'],
    ],
  },
  conformance: {},
  fuzz: {},
  exports: { check: ['knip/bin/knip.js'] },
  integration: { realTime: true },
  builds: { rest: true },
  asan: { rest: true },
  tsan: { rest: true },
  'fuzz-long': {
    rest: true,
    project: 'fuzz',
    environment: () => ({ HLC_FUZZ_SAMPLES: inShort ? '15000' : '1000000' }),
  },
  slow: { rest: true, realTime: true },
  faults: { rest: true, realTime: true, environment: () => ({ HLC_REPLAY_RULES: '1' }) },
  browser: { rest: true, realTime: true },
  interop: {
    rest: true,
    realTime: true,
    after: 'builds',
    reporters: ['./test/interop/matrix-reporter.ts'],
  },
  stops: { rest: true, measures: true, environment: () => ({ HLC_REPLAY_RULES: '1' }) },
  certify: { rest: true, measures: true },
  'browser-timed': {
    rest: true,
    measures: true,
    environment: () => ({ HLC_BROWSER_LOAD_S: inShort ? '20' : '120' }),
  },
  'interop-timed': {
    rest: true,
    measures: true,
    environment: () => ({ HLC_RECORDER_KILLS: inShort ? '10' : '50' }),
  },
  rti: { rest: true, measures: true, missing: whyNoConnext },
  ros2: {
    rest: true,
    measures: true,
    environment: ros2WorkspaceEnvironment,
    missing: whyNoRos2InShell,
  },
};

/** Tests that repeat something do it less often: for CI, which runs the long forms once a day. */
const inShort = process.env.HLC_TEST_LENGTH === 'short';

/** The same as the tests in test/rti look for. */
function whyNoConnext() {
  const connector = path.join(
    process.env.RTI_CONNECTOR ?? '',
    'node_modules/rticonnextdds-connector',
  );
  if (existsSync(connector)) return undefined;
  return 'RTI Connext is not here: name a folder that has rticonnextdds-connector with RTI_CONNECTOR';
}

const reports = path.join(root, 'build/test-reports');
const sumFile = path.join(reports, 'sum.json');

/** @param {string} script */
const bin = (script) => path.join(root, 'node_modules', script);

const atLowPriority = ['nice', '-n', '19'];

/** Gives a program only the time of a processor that no other one wants. */
const atIdlePriority =
  spawnSync('chrt', ['-i', '0', 'true']).status === 0 ? ['chrt', '-i', '0'] : atLowPriority;

/**
 * Runs a program of Node and gives its exit code.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} environment added to that of this process
 * @param {string[]} through what starts it: a command and its arguments; its output is kept until it has ended then
 * @returns {Promise<number | null>}
 */
async function node(args, environment, through) {
  const isKept = through.length > 0;
  const [program = '', ...words] = [...through, process.execPath, ...args];
  const child = spawn(program, words, {
    cwd: root,
    stdio: ['ignore', isKept ? 'pipe' : 'inherit', isKept ? 'pipe' : 'inherit'],
    env: { ...process.env, ...environment },
  });
  /** @type {Buffer[]} */
  const output = [];
  child.stdout?.on('data', (/** @type {Buffer} */ data) => output.push(data));
  child.stderr?.on('data', (/** @type {Buffer} */ data) => output.push(data));
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once('close', resolve));
  const code = await ended;
  process.stdout.write(Buffer.concat(output));
  return code;
}

/**
 * @param {string} name
 * @param {string[]} check
 * @returns {Promise<Outcome>}
 */
async function runCheck(name, [script = '', ...args]) {
  const passed = (await node([bin(script), ...args], {}, atIdlePriority)) === 0;
  const failed = passed ? [] : [{ test: name, reason: 'see its output above' }];
  return { passed: passed ? 1 : 0, failed, skipped: [] };
}

/**
 * @param {string} name
 * @param {Part} part
 * @returns {Promise<Outcome>}
 */
async function runSuite(name, { project = name, reporters = [], environment }) {
  const report = path.join(reports, `${name}.json`);
  const outcomeFile = path.join(reports, `${name}-outcome.json`);
  for (const file of [report, outcomeFile]) rmSync(file, { force: true });
  const args = [
    ...[bin('vitest/vitest.mjs'), 'run', '--project', project],
    ...['default', 'json', './test/support/outcome-reporter.ts', ...reporters].map(
      (reporter) => `--reporter=${reporter}`,
    ),
    `--outputFile.json=${report}`,
  ];
  const added = { ...environment?.(), HLC_TEST_OUTCOME: outcomeFile };
  const code = await node(args, added, calm.includes(name) ? priorityOf(name) : []);
  const outcome = /** @type {Outcome | undefined} */ (readJson(outcomeFile)) ?? {
    passed: 0,
    failed: [],
    skipped: [],
  };
  const rows = outcome.passed > 0 ? readFaultRows(report) : [];
  if (rows.length > 0) console.log(faultTable(rows));
  if (code !== 0 && outcome.failed.length === 0) {
    outcome.failed.push({ test: name, reason: `vitest ended with exit code ${code ?? 'none'}` });
  }
  return outcome;
}

/** Of a calm part: another one may wait for it. @param {string} name */
function priorityOf(name) {
  const isAwaited = chosen.some((other) => parts[other]?.after === name);
  return isAwaited ? atLowPriority : atIdlePriority;
}

/** @param {string} file @returns {unknown} undefined when there is none */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Lines about what failed, and about what was skipped. @type {string[]} */
const remarks = [];

/** Moves what must not be skipped here to what failed. @param {Outcome} outcome */
function judgeSkipped({ failed, skipped }) {
  const kept = skipped.filter(({ reason }) => reason !== '' && !onCi);
  for (const each of skipped) {
    if (kept.includes(each)) continue;
    failed.push({ test: each.test, reason: `skipped: ${each.reason || 'without a reason'}` });
  }
  skipped.splice(0, skipped.length, ...kept);
}

/** @param {string} name */
async function run(name) {
  const part = parts[name] ?? {};
  const begun = Date.now();
  const outcome = await (part.check ? runCheck(name, part.check) : runSuite(name, part));
  judgeSkipped(outcome);
  const { passed, failed, skipped } = outcome;
  const reasons = new Map(skipped.map(({ reason }) => [reason, 0]));
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  for (const [reason, count] of reasons) remarks.push(`skipped: ${count} of ${name}: ${reason}`);
  const failures = failed.map(({ test, reason }) => `failed: ${test}: ${reason}`);
  remarks.push(...failures);
  const seconds = ((Date.now() - begun) / 1000).toFixed(0);
  for (const line of failures) console.log(line);
  console.log(`${failed.length === 0 ? 'passed' : 'FAILED'}: ${name}, ${seconds} s`);
  return { name, counts: { passed, failed: failed.length, skipped: skipped.length } };
}

/** @typedef {Record<string, { passed: number, failed: number, skipped: number }>} Counts by part */

/** @param {Counts} counts prints the sum @returns {boolean} whether something passed and nothing failed */
function printSum(counts) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of Object.values(counts)) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
  return sum.failed === 0 && sum.passed > 0;
}

const wanted = process.argv.slice(2);
const before = /** @type {Counts} */ (readJson(sumFile) ?? {});
if (wanted.includes('--sum')) process.exit(printSum(before) ? 0 : 1);

const known = Object.keys(parts);
const unknown = wanted.filter((name) => !known.includes(name) && name !== '--rest');
if (unknown.length > 0) {
  console.error(`test: no part is named ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(2);
}
const chosen = known
  .filter((name) =>
    wanted.length === 0 || wanted.includes('--rest')
      ? (parts[name]?.rest ?? false) === wanted.includes('--rest')
      : wanted.includes(name),
  )
  .filter((name) => {
    const missing = parts[name]?.missing?.();
    if (missing !== undefined) remarks.push(`left out: ${name}: ${missing}`);
    return missing === undefined;
  });

mkdirSync(reports, { recursive: true });
/** @type {Counts} */
const counts = {};
/** Emits the name of a part that has ended. */
const ends = new EventEmitter();
/** Runs parts one after the other until none is left. @param {string[]} left */
async function work(left) {
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const { after = '' } = parts[name] ?? {};
    if (chosen.includes(after) && !(after in counts)) await once(ends, after);
    const result = await run(name);
    counts[name] = result.counts;
    ends.emit(name);
  }
}
const measuring = chosen.filter((name) => parts[name]?.measures);
const realTime = chosen.filter((name) => parts[name]?.realTime);
const calm = chosen.filter((name) => !measuring.includes(name) && !realTime.includes(name));
const leftCalm = [...calm];
// Tests of real time mostly wait, and the calm parts run in their pauses.
await Promise.all([
  work(realTime),
  ...Array.from({ length: availableParallelism() }, () => work(leftCalm)),
]);
await work(measuring);

writeFileSync(sumFile, JSON.stringify({ ...before, ...counts }));
for (const line of remarks) console.log(line);
process.exit(printSum(counts) ? 0 : 1);
