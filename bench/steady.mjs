import { cpuNsBetween } from './usage.mjs';

/** @import { Measurement } from './deployment.mjs' */
/** @import { Usage } from './usage.mjs' */

/**
 * The part of a run that counts, as it was seen from outside the middleware.
 * @typedef {object} Steady
 * @property {readonly Usage[]} usages all looks at the middleware in it; two or more
 * @property {Usage} from the first of them
 * @property {Usage} to the last
 * @property {number} periods between them
 */

/**
 * @param {Measurement} measurement
 * @returns {Steady}
 * @throws {Error} when the run was too short to look at it twice
 */
export function steadyPart({ usages, counted }) {
  const within = usages.filter(({ atNs }) => atNs >= counted.fromNs && atNs <= counted.toNs);
  const from = within[0];
  const to = within.at(-1);
  if (from === undefined || to === undefined || from === to) {
    throw new Error('The run was too short to look at the middleware twice.');
  }
  const share = (to.atNs - from.atNs) / (counted.toNs - counted.fromNs);
  return { usages: within, from, to, periods: counted.periods * share };
}

/**
 * Processor time of the middleware for one period, all threads, µs.
 * @param {Steady} steady
 */
export function cpuUsPerPeriod({ from, to, periods }) {
  return cpuNsBetween(from, to) / periods / 1000;
}
