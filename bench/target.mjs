import { spreadOf } from './statistics.mjs';

/** @import { Measurement } from './deployment.mjs' */

/**
 * The values that a target judges: medians, and the runs of the product.
 * @typedef {object} Result
 * @property {number} product
 * @property {number} reference
 * @property {readonly Measurement[]} productRuns
 */

/**
 * The required value of a figure.
 * @typedef {object} Target
 * @property {string} text for the table
 * @property {(result: Result) => boolean} met
 */

/**
 * @param {number} factor
 * @param {string} [reference] its name
 * @returns {Target}
 */
export function atLeastTimesReference(factor, reference = 'C') {
  return {
    text: `≥ ${factor} × ${reference}`,
    met: (result) => result.product >= factor * result.reference,
  };
}

/**
 * @param {number} factor
 * @param {string} [reference] its name
 * @returns {Target}
 */
export function atMostTimesReference(factor, reference = 'C') {
  return {
    text: `≤ ${factor} × ${reference}`,
    met: (result) => result.product <= factor * result.reference,
  };
}

/**
 * @param {number} limit
 * @returns {Target}
 */
export function atLeast(limit) {
  return { text: `≥ ${limit}`, met: ({ product }) => product >= limit };
}

/**
 * @param {number} limit
 * @returns {Target}
 */
export function below(limit) {
  return { text: `< ${limit}`, met: ({ product }) => product < limit };
}

/**
 * @param {number} limitUs
 * @returns {Target}
 */
export function atVehiclesWithin(limitUs) {
  return {
    text: `at the vehicles < ${limitUs} µs`,
    met: ({ productRuns }) =>
      spreadOf(productRuns.map(({ arrivedP50Us }) => arrivedP50Us)).median < limitUs,
  };
}

/**
 * @param {number} limit
 * @returns {Target}
 */
export function atMostAboveReference(limit) {
  return {
    text: `≤ C + ${limit}`,
    met: ({ product, reference }) => product <= reference + limit,
  };
}

/** @type {Target} */
export const noPeriodSkipped = {
  text: 'no period skipped',
  met: ({ productRuns }) => productRuns.every(({ skippedPeriods }) => skippedPeriods === 0),
};

/** For a load that shows the growth of a figure; it has no required value. @type {Target} */
export const noTarget = { text: 'none', met: () => true };

/**
 * @param {readonly Target[]} targets
 * @returns {Target}
 */
export function all(...targets) {
  return {
    text: targets.map(({ text }) => text).join(', '),
    met: (result) => targets.every((target) => target.met(result)),
  };
}
