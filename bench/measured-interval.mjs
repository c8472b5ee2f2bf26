import { cpuNsBetween } from './usage.mjs';

/** @import { Counted, Measurement } from './deployment.mjs' */
/** @import { Usage } from './usage.mjs' */

/**
 * The counted part of a run, sampled from outside the middleware.
 * @typedef {object} Interval
 * @property {readonly Usage[]} usages samples of the middleware in it, at least two
 * @property {Usage} from the first sample
 * @property {Usage} to the last sample
 * @property {number} periods between them
 */

/**
 * The samples of the counted part of a run.
 * @param {readonly Usage[]} usages
 * @param {Counted} counted
 */
export function usagesWithin(usages, { fromNs, toNs }) {
  return usages.filter(({ atNs }) => atNs >= fromNs && atNs <= toNs);
}

/**
 * @param {Measurement} measurement
 * @returns {Interval}
 * @throws {Error} when the run was too short for two samples
 */
export function measuredInterval({ usages, counted }) {
  const within = usagesWithin(usages, counted);
  const from = within[0];
  const to = within.at(-1);
  if (from === undefined || to === undefined || from === to) {
    throw new Error('The run was too short for two samples of the middleware; make it longer.');
  }
  const share = (to.atNs - from.atNs) / (counted.toNs - counted.fromNs);
  return { usages: within, from, to, periods: counted.periods * share };
}

/**
 * Processor time of the middleware for one period, all threads, µs.
 * @param {Interval} interval
 */
export function cpuUsPerPeriod({ from, to, periods }) {
  return cpuNsBetween(from, to) / periods / 1000;
}
