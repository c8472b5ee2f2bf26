import { run } from './deployment.mjs';
import { undisturbed } from './patience.mjs';
import { refusal } from './priority.mjs';
import { spreadOf } from './statistics.mjs';

/** @import { Measurement } from './deployment.mjs' */
/** @import { Load, Side } from './load.mjs' */
/** @import { Row, RowLoad } from './rows/row.mjs' */
/** @import { Spread } from './statistics.mjs' */

/**
 * One line of the table.
 * @typedef {object} Line
 * @property {string} name
 * @property {string} load
 * @property {string} unit
 * @property {'more' | 'less'} better
 * @property {Spread} ours
 * @property {Spread} reference
 * @property {string} reach
 * @property {boolean} met
 */

/**
 * A figure that is not there, and why.
 * @typedef {{ name: string, load: string, reason: string }} Missing
 */

/**
 * @typedef {object} Results
 * @property {Line[]} lines
 * @property {Missing[]} failures
 * @property {Missing[]} leftOut this user may not run them
 * @property {Spread} foreignShare
 */

/** @type {readonly Side[]} */
const sides = ['ours', 'reference'];

/** @typedef {{ quick: boolean, repeat: number, patient: boolean }} Effort */

/** Share of the measured start signals that are left in a quick run; all have to warm up. */
const quickShare = 0.15;

/**
 * All runs of a load, in the order in which they were made.
 * @typedef {Record<Side, Measurement[]>} Runs
 */

/**
 * Measures rows: each load once for all rows that want it, the sides in turn so that what else
 * happens on the machine meets all of them.
 * @param {readonly Row[]} rows
 * @param {Effort} effort
 * @param {(text: string) => void} tell progress
 * @returns {Promise<Results>}
 */
export async function measure(rows, effort, tell) {
  const chosen = rows.flatMap((row) =>
    row.loads.filter((load) => !effort.quick || load.quick === true).map((load) => ({ row, load })),
  );
  const leftOut = chosen.flatMap(({ row, load }) => {
    const reason = refusal(load.load);
    return reason === undefined ? [] : [{ name: row.name, load: load.name, reason }];
  });
  const wanted = chosen.filter(({ load }) => refusal(load.load) === undefined);
  /** @type {Map<Load, Runs | Error>} */
  const measured = new Map();
  for (const { load } of wanted) {
    if (measured.has(load.load)) continue;
    const say = (/** @type {string} */ text) =>
      tell(`${load.name}, ${load.load.time} time: ${text}`);
    measured.set(load.load, await runAll(load.load, effort, say));
  }
  /** @type {Line[]} */
  const lines = [];
  /** @type {Missing[]} */
  const failures = [];
  for (const { row, load } of wanted) {
    const runs = measured.get(load.load);
    if (runs === undefined || runs instanceof Error) {
      failures.push({ name: row.name, load: load.name, reason: runs?.message ?? 'not measured' });
    } else {
      lines.push(lineOf(row, load, runs));
    }
  }
  const shares = [...measured.values()]
    .flatMap((runs) => (runs instanceof Error ? [] : [...runs.ours, ...runs.reference]))
    .map(({ foreignShare }) => foreignShare);
  return { lines, failures, leftOut, foreignShare: spreadOf(shares) };
}

/**
 * @param {Load} load
 * @returns {Load}
 */
function shortened(load) {
  const measured = load.periods - load.skip;
  return { ...load, periods: load.skip + Math.ceil(measured * quickShare) };
}

/**
 * @param {Load} load
 * @param {Effort} effort
 * @param {(text: string) => void} tell
 * @returns {Promise<Runs | Error>}
 */
async function runAll(load, { quick, repeat, patient }, tell) {
  const size = quick ? shortened(load) : load;
  /** @type {Runs} */
  const runs = { ours: [], reference: [] };
  try {
    for (let i = 0; i < repeat; i++) {
      tell(`run ${i + 1} of ${repeat}`);
      // Whoever comes first finds the machine differently; so that changes.
      for (const side of i % 2 === 0 ? sides : sides.toReversed()) {
        const once = () => runAgainOnce(size, side, tell);
        runs[side].push(await (patient ? undisturbed(once) : once()));
      }
    }
    return runs;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * On a busy machine messages may be lost where the QoS allows it; a fault shows itself twice.
 * @param {Load} load
 * @param {Side} side
 * @param {(text: string) => void} tell
 */
async function runAgainOnce(load, side, tell) {
  try {
    return await run(load, side);
  } catch (error) {
    tell(`once more, since it failed: ${error instanceof Error ? error.message : String(error)}`);
    return run(load, side);
  }
}

/**
 * @param {Row} row
 * @param {RowLoad} load
 * @param {Runs} runs
 * @returns {Line}
 */
function lineOf(row, load, runs) {
  const ours = spreadOf(runs.ours.map(row.figure));
  const reference = spreadOf(runs.reference.map(row.figure));
  return {
    name: row.name,
    load: load.name,
    unit: row.unit,
    better: row.better,
    ours,
    reference,
    reach: load.reach.text,
    met: load.reach.met({
      ours: ours.median,
      reference: reference.median,
      ourRuns: runs.ours,
    }),
  };
}
