/**
 * The product's figure divided by the reference's.
 * @typedef {{ name: string, load: string, ratio: number }} Ratio
 */

/**
 * A ratio of the current run.
 * @typedef {Ratio & { better: 'more' | 'less' }} Measured
 */

/**
 * @typedef {object} Regression
 * @property {string} name
 * @property {string} load
 * @property {number} before ratio of the baseline
 * @property {number} now
 * @property {number} factor factor by which it grew worse; 1: unchanged
 */

/**
 * @typedef {object} Comparison
 * @property {number} compared number of figures that both have
 * @property {Regression[]} regressions
 * @property {Ratio[]} unknown measured now, absent from the baseline
 * @property {Ratio[]} unmeasured in the baseline, not measured now
 */

/**
 * The ratios of a machine, as `describeMachine` names it. A wake-up of a thread costs several times as much on one
 * processor as on another, and ratios differ with that.
 * @typedef {{ machine: string, ratios: readonly Ratio[] }} Baseline
 */

/** A ratio may grow worse by this factor before the check fails. */
export const allowedFactor = 1.5;

/**
 * Compares the ratios of a run with those of the baseline.
 * @param {readonly Measured[]} measured
 * @param {readonly Ratio[]} baseline
 * @returns {Comparison}
 */
export function compare(measured, baseline) {
  const before = new Map(baseline.map((row) => [keyOf(row), row]));
  const now = new Set(measured.map(keyOf));
  const pairs = measured.flatMap((row) => {
    const old = before.get(keyOf(row));
    return old === undefined ? [] : [{ row, old }];
  });
  return {
    compared: pairs.length,
    regressions: pairs.flatMap(({ row, old }) => {
      const factor = row.better === 'more' ? old.ratio / row.ratio : row.ratio / old.ratio;
      // The negation also catches NaN.
      return !(factor <= allowedFactor)
        ? [{ name: row.name, load: row.load, before: old.ratio, now: row.ratio, factor }]
        : [];
    }),
    unknown: measured.filter((row) => !before.has(keyOf(row))),
    unmeasured: baseline.filter((row) => !now.has(keyOf(row))),
  };
}

/** @param {Ratio} row */
function keyOf({ name, load }) {
  return JSON.stringify([name, load]);
}

/**
 * The baseline of the same number of cores and processor; the first one where there is none.
 * @param {string} machine
 * @param {readonly Baseline[]} baselines
 */
export function baselineOf(machine, baselines) {
  const same = baselines.find((baseline) => processorOf(baseline.machine) === processorOf(machine));
  return same ?? baselines[0];
}

/**
 * The baselines with this one, which replaces that of the same processor.
 * @param {readonly Baseline[]} baselines
 * @param {Baseline} measured
 */
export function withBaseline(baselines, measured) {
  const isSame = (/** @type {Baseline} */ { machine }) =>
    processorOf(machine) === processorOf(measured.machine);
  if (!baselines.some(isSame)) return [...baselines, measured];
  return baselines.map((baseline) => (isSame(baseline) ? measured : baseline));
}

/** @param {string} machine */
function processorOf(machine) {
  return machine.split(',', 1)[0];
}
