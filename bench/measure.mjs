import { pooled } from './alternation.mjs';
import { run } from './deployment.mjs';
import { runOnIdleMachine } from './idle-machine.mjs';
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
 * @property {Spread} product
 * @property {Spread} reference
 * @property {string} target
 * @property {boolean} met
 */

/**
 * A figure without a result, and the reason.
 * @typedef {{ name: string, load: string, reason: string }} Missing
 */

/**
 * @typedef {object} Results
 * @property {Line[]} lines
 * @property {Missing[]} failures
 * @property {Missing[]} leftOut this user has no right to run them
 * @property {Spread} otherShare
 */

/** @type {readonly Side[]} */
const sides = ['product', 'reference'];

/** @typedef {{ quick: boolean, repeat: number, waitForIdle: boolean }} Effort */

/** A quick run measures this share of the start signals; the warm-up stays as long. */
const quickShare = 0.15;

/**
 * All runs of a load, in the order in which they were made.
 * @typedef {Record<Side, Measurement[]>} Runs
 */

/**
 * Measures rows. Each load runs once for all rows that use it. The two sides run in turn, so that other
 * work on the machine affects both.
 * @param {readonly Row[]} rows
 * @param {Effort} effort
 * @param {(text: string) => void} logProgress
 * @returns {Promise<Results>}
 */
export async function measure(rows, effort, logProgress) {
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
      logProgress(`${load.name}, ${load.load.time} time: ${text}`);
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
    .flatMap((runs) => (runs instanceof Error ? [] : [...runs.product, ...runs.reference]))
    .map(({ otherShare }) => otherShare);
  return { lines, failures, leftOut, otherShare: spreadOf(shares) };
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
 * @param {(text: string) => void} logProgress
 * @returns {Promise<Runs | Error>}
 */
async function runAll(load, { quick, repeat, waitForIdle }, logProgress) {
  const size = quick ? shortened(load) : load;
  /** @type {Runs} */
  const runs = { product: [], reference: [] };
  /** @template {{ otherShare: number }} Result @param {() => Promise<Result>} makeRun */
  const once = (makeRun) => {
    const again = () => runAgainOnce(makeRun, logProgress);
    return waitForIdle ? runOnIdleMachine(again) : again();
  };
  try {
    for (let i = 0; i < repeat; i++) {
      logProgress(`run ${i + 1} of ${repeat}`);
      const { deploy = run, deployBoth } = load;
      if (deployBoth !== undefined) {
        const both = await once(() => deployBoth(size));
        for (const side of sides) runs[side].push(both[side]);
        continue;
      }
      // The first of a pair meets a different machine (caches, clock rate), so the order alternates.
      for (const side of i % 2 === 0 ? sides : sides.toReversed()) {
        runs[side].push(await once(() => deploy(size, side)));
      }
    }
    return runs;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * Repeats a failed run once: on a busy machine the QoS allows lost messages, while a fault fails twice.
 * @template Result
 * @param {() => Promise<Result>} makeRun
 * @param {(text: string) => void} logProgress
 */
async function runAgainOnce(makeRun, logProgress) {
  try {
    return await makeRun();
  } catch (error) {
    logProgress(
      `the run failed and is repeated once: ${error instanceof Error ? error.message : String(error)}`,
    );
    return makeRun();
  }
}

/**
 * @param {Row} row
 * @param {RowLoad} load
 * @param {Runs} runs
 * @returns {Line}
 */
function lineOf(row, load, runs) {
  const product = spreadOfRuns(row, runs.product);
  const reference = spreadOfRuns(row, runs.reference);
  return {
    name: row.name,
    load: load.name,
    unit: row.unit,
    better: row.better,
    product,
    reference,
    target: load.target.text,
    met: load.target.met({
      product: product.median,
      reference: reference.median,
      productRuns: runs.product,
    }),
  };
}

/**
 * The middle one is the figure of all samples together where the runs have samples.
 * @param {Row} row
 * @param {readonly Measurement[]} runs
 */
function spreadOfRuns({ figure }, runs) {
  const spread = spreadOf(runs.map(figure));
  const all = pooled(runs);
  return all === undefined ? spread : { ...spread, median: figure(all) };
}
