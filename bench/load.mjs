/** @import { Both } from './alternation.mjs' */
/** @import { Measurement } from './deployment.mjs' */

/**
 * The measured middleware.
 * @typedef {'product' | 'reference'} Side
 */

/**
 * A whole deployment under load.
 * @typedef {object} Load
 * @property {'simulated' | 'real'} time
 * @property {number} controllers for the vehicles 1 to n
 * @property {number} processes in which the controllers run
 * @property {number} vehicles listed in each start signal; in real time each sends its state at 50 Hz
 * @property {number} points of each trajectory
 * @property {number} periodMs
 * @property {number} periods start signals in a run
 * @property {number} skip start signals at the beginning that are not measured
 * @property {boolean} [busy] every core also runs a busy loop at normal priority
 * @property {number} [priority] of the middleware and of the programs that measure, 1 to 99: real-time
 *   scheduling (SCHED_FIFO); absent: normal scheduling
 * @property {{ lateness: string, forwarding: string }} [events] files for each single measurement
 * @property {(load: Load, side: Side) => Promise<Measurement>} [deploy] runs it in another way
 * @property {(load: Load) => Promise<Both>} [deployBoth] runs both sides in one
 */

/** Rate of states of each vehicle in real time, Hz. */
export const vehicleRateHz = 50;
