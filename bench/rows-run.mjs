import { writeFileSync } from 'node:fs';
import { allowedFactor, baselineOf, compare } from './baseline.mjs';
import { readBaselines, writeBaseline } from './baseline-file.mjs';
import { UsageError } from './command-line.mjs';
import { cmakeBuild } from '../tools/build-native.mjs';
import { describeMachine } from '../tools/machine.mjs';
import { measure } from './measure.mjs';
import { ratios, records, resultCells } from './report.mjs';
import { pagePath, performancePage, resultTable } from './performance-page.mjs';
import { synchronoHeartbeat } from './rows/gateways.mjs';
import { rows } from './rows/index.mjs';

/** @import { Baseline, Measured } from './baseline.mjs' */
/** @import { BenchOptions } from './command-line.mjs' */
/** @import { Spread } from './statistics.mjs' */

/**
 * Measures rows, prints the table, and checks or updates the baseline on request.
 * @param {BenchOptions} options
 * @returns {Promise<number>} exit code
 * @throws {UsageError} when a row or the baseline does not exist
 */
export async function runRows(options) {
  const chosen = chosenRows(options.only);
  if (chosen.includes(synchronoHeartbeat)) buildSynchronoNode();
  const machine = describeMachine('build/bench');
  // Read at once, and not after the rows: it may be malformed.
  const baselines = options.baseline === undefined ? [] : readBaselines();
  const baseline = options.baseline === 'check' ? baselineOf(machine, baselines) : undefined;
  console.log(`machine: ${machine}`);
  const { lines, failures, leftOut, otherShare } = await measure(chosen, options, logProgress);
  const cells = resultCells(lines);
  const runs = `median of ${options.repeat} runs, minimum and maximum in brackets; ratio: middleware / reference`;
  const others = `${percent(otherShare)} of one core during the runs`;
  console.log(`\n${resultTable(cells)}\nfigures: ${runs}\nother programs: ${others}`);
  for (const { name, load, reason } of leftOut)
    logProgress(`not measured: ${name}, ${load}: ${reason}`);
  for (const { name, load, reason } of failures) logProgress(`failed: ${name}, ${load}: ${reason}`);
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify(records(lines), null, 2)}\n`);
  }
  const missing = failures.length + leftOut.length;
  if (options.updateDocs && missing > 0) {
    logProgress(`docs/reference/performance.md was not written: ${missing} figures are missing`);
  } else if (options.updateDocs) {
    writeFileSync(pagePath, performancePage({ machine, runs, others, cells }));
  }
  const measured = ratios(lines);
  if (options.baseline === 'update') writeBaseline(machine, measured);
  const held = baseline === undefined || holds(measured, baseline);
  return failures.length === 0 && held ? 0 : 1;
}

/** @throws {UsageError} at once, and not after twenty minutes of other rows */
function buildSynchronoNode() {
  try {
    cmakeBuild('examples/synchrono', 'build/examples/synchrono');
  } catch (cause) {
    throw new UsageError(
      'The SynChrono node cannot be built: examples/synchrono/README.md names what it needs. Or choose other rows with --only.',
      { cause },
    );
  }
}

/** @param {readonly string[]} names */
function chosenRows(names) {
  for (const name of names) {
    if (rows.some((row) => row.name === name || row.alias === name)) continue;
    const known = rows.map((row) => row.name).join(', ');
    throw new UsageError(`--only: no row has the name "${name}"; the rows are ${known}.`);
  }
  if (names.length === 0) return rows;
  return rows.filter((row) => names.some((name) => name === row.name || name === row.alias));
}

/**
 * Prints how the ratios compare with the baseline.
 * @param {readonly Measured[]} measured
 * @param {Baseline} baseline
 * @returns {boolean} false when a ratio is worse by more than the allowed factor, or when no ratio
 *   could be compared
 */
function holds(measured, baseline) {
  const { compared, regressions, unknown, unmeasured } = compare(measured, baseline.ratios);
  console.log(
    `check: ${compared} ratios compared with the baseline; machine of the baseline: ${baseline.machine}`,
  );
  for (const { name, load } of unknown) console.log(`check: not in the baseline: ${name}, ${load}`);
  if (unmeasured.length > 0) {
    console.log(`check: ${unmeasured.length} ratios of the baseline were not measured in this run`);
  }
  for (const { name, load, before, now, factor } of regressions) {
    console.log(
      `check: WORSE by ${factor.toFixed(2)} ×: ${name}, ${load}: ratio ${now.toFixed(2)}, was ${before.toFixed(2)}`,
    );
  }
  if (compared === 0) console.log('check: FAILED, no measured ratio is in the baseline');
  else if (regressions.length === 0)
    console.log(`check: no ratio is worse by more than ${allowedFactor} ×`);
  return compared > 0 && regressions.length === 0;
}

/** @param {string} text */
function logProgress(text) {
  console.error(`bench: ${text}`);
}

/** @param {Spread} of share of one core */
function percent({ median, least, most }) {
  const [middle, from, to] = [median, least, most].map((share) => (100 * share).toFixed(0));
  return `${middle} % (${from}–${to} %)`;
}
