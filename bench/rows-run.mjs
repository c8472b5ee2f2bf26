import { writeFileSync } from 'node:fs';
import { compare, mostWorse } from './baseline.mjs';
import { readBaseline, writeBaseline } from './baseline-file.mjs';
import { UsageError } from './command-line.mjs';
import { describeMachine } from './machine.mjs';
import { measure } from './measure.mjs';
import { ratios, records, table } from './report.mjs';
import { rows } from './rows/index.mjs';

/** @import { Measured } from './baseline.mjs' */
/** @import { BenchOptions } from './command-line.mjs' */
/** @import { Spread } from './statistics.mjs' */

/**
 * Measures rows, prints the table, and does with the baseline what is asked.
 * @param {BenchOptions} options
 * @returns {Promise<number>} exit code
 * @throws {UsageError} when a row or a baseline is not there
 */
export async function runRows(options) {
  const chosen = chosenRows(options.only);
  const baseline = options.baseline === 'check' ? readBaseline() : undefined;
  const machine = describeMachine();
  console.log(`machine: ${machine}`);
  const { lines, failures, leftOut, foreignShare } = await measure(chosen, options, tell);
  console.log(`\n${table(lines)}\n`);
  console.log(
    `Medians of ${options.repeat} runs, least and most in brackets; ratio: ours over the C reference.`,
  );
  console.log(`Other programs took ${percent(foreignShare)} of one core during the runs.`);
  for (const { name, load, reason } of leftOut) tell(`left out: ${name}, ${load}: ${reason}`);
  for (const { name, load, reason } of failures) tell(`${name}, ${load}: ${reason}`);
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify(records(lines), null, 2)}\n`);
  }
  const measured = ratios(lines);
  if (options.baseline === 'update') writeBaseline(machine, measured);
  const held = baseline === undefined || holds(measured, baseline);
  return failures.length === 0 && held ? 0 : 1;
}

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

/**
 * Tells how the ratios compare with the baseline.
 * @param {readonly Measured[]} measured
 * @param {ReturnType<typeof readBaseline>} baseline
 * @returns {boolean} false when one is too much worse, or when there is nothing to compare
 */
function holds(measured, baseline) {
  const { compared, regressions, unknown, unmeasured } = compare(measured, baseline.ratios);
  console.log(
    `check: ${compared} ratios against the baseline, which was measured on: ${baseline.machine}`,
  );
  for (const { name, load } of unknown) console.log(`check: not in the baseline: ${name}, ${load}`);
  if (unmeasured.length > 0) {
    console.log(`check: in the baseline, and not measured now: ${unmeasured.length}`);
  }
  for (const { name, load, before, now, factor } of regressions) {
    console.log(
      `check: WORSE by ${factor.toFixed(2)} ×: ${name}, ${load}: ratio ${now.toFixed(2)}, was ${before.toFixed(2)}`,
    );
  }
  if (compared === 0) console.log('check: FAILED, nothing could be compared');
  else if (regressions.length === 0)
    console.log(`check: none is worse by more than ${mostWorse} ×`);
  return compared > 0 && regressions.length === 0;
}

/** @param {string} text */
function tell(text) {
  console.error(`bench: ${text}`);
}

/** @param {Spread} of share of one core */
function percent({ median, least, most }) {
  const [middle, from, to] = [median, least, most].map((share) => (100 * share).toFixed(0));
  return `${middle} % (${from}–${to} %)`;
}
