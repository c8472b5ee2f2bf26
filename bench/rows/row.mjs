/** @import { Measurement } from '../deployment.mjs' */
/** @import { Load } from '../load.mjs' */
/** @import { Target } from '../target.mjs' */

/**
 * One kind of figure, under one or more loads.
 * @typedef {object} Row
 * @property {string} name
 * @property {string} [alias] another name for the flag --only
 * @property {string} unit
 * @property {'more' | 'less'} better
 * @property {(measurement: Measurement) => number} figure of one run
 * @property {readonly RowLoad[]} loads
 */

/**
 * @typedef {object} RowLoad
 * @property {string} name
 * @property {Load} load
 * @property {Target} target
 * @property {boolean} [quick] also measured with --quick, in a shorter run
 */

/** Commands as they are typical in the lab. */
const typical = { points: 10 };

/**
 * A run in simulated time, as fast as it goes.
 * @param {Pick<Load, 'controllers' | 'processes' | 'vehicles' | 'periods' | 'skip'> & Partial<Load>} size
 * @returns {Load}
 */
export function simulated(size) {
  return { time: 'simulated', periodMs: 10, ...typical, ...size };
}

/**
 * A run in real time.
 * @param {Pick<Load, 'controllers' | 'processes' | 'vehicles' | 'periods' | 'skip' | 'periodMs'> & Partial<Load>} size
 * @returns {Load}
 */
export function real(size) {
  return { time: 'real', ...typical, ...size };
}

/** The run ends after its blocks. */
export const endless = { periods: 1e9, skip: 0 };

/** Blocks with and without companions. A p99 needs many periods, a rate needs few. */
export const realTurns = { pairs: 3, blockMs: 12_000 };
export const simulatedTurns = { pairs: 5, blockMs: 1000 };
