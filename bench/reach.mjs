import { spreadOf } from './statistics.mjs';

/** @import { Measurement } from './deployment.mjs' */

/**
 * What is compared with a reach: medians, and the runs behind them.
 * @typedef {object} Result
 * @property {number} ours
 * @property {number} reference
 * @property {readonly Measurement[]} ourRuns
 */

/**
 * What a figure has to be.
 * @typedef {object} Reach
 * @property {string} text for the table
 * @property {(result: Result) => boolean} met
 */

/**
 * @param {number} factor
 * @returns {Reach}
 */
export function atLeastTimesReference(factor) {
  return {
    text: `≥ ${factor} × C`,
    met: ({ ours, reference }) => ours >= factor * reference,
  };
}

/**
 * @param {number} factor
 * @returns {Reach}
 */
export function atMostTimesReference(factor) {
  return {
    text: `≤ ${factor} × C`,
    met: ({ ours, reference }) => ours <= factor * reference,
  };
}

/**
 * @param {number} limit
 * @returns {Reach}
 */
export function atLeast(limit) {
  return { text: `≥ ${limit}`, met: ({ ours }) => ours >= limit };
}

/**
 * @param {number} limit
 * @returns {Reach}
 */
export function below(limit) {
  return { text: `< ${limit}`, met: ({ ours }) => ours < limit };
}

/**
 * @param {number} limitUs
 * @returns {Reach}
 */
export function atVehiclesWithin(limitUs) {
  return {
    text: `at the vehicles < ${limitUs} µs`,
    met: ({ ourRuns }) =>
      spreadOf(ourRuns.map(({ arrivedP50Us }) => arrivedP50Us)).median < limitUs,
  };
}

/** @type {Reach} */
export const noPeriodSkipped = {
  text: 'no period skipped',
  met: ({ ourRuns }) => ourRuns.every(({ skippedPeriods }) => skippedPeriods === 0),
};

/** For a load that shows how a figure grows, and for which nothing was promised. @type {Reach} */
export const noReach = { text: 'none', met: () => true };

/**
 * @param {readonly Reach[]} reaches
 * @returns {Reach}
 */
export function all(...reaches) {
  return {
    text: reaches.map(({ text }) => text).join(', '),
    met: (result) => reaches.every((reach) => reach.met(result)),
  };
}
