import {
  all,
  atMostTimesReference,
  atVehiclesWithin,
  below,
  noPeriodSkipped,
  noTarget,
} from '../target.mjs';
import { forwarding, lateness, peakMemory, processorShare } from './measures.mjs';
import { real } from './row.mjs';

/** @import { Row } from './row.mjs' */

const oneForOne = { controllers: 1, processes: 1, vehicles: 1 };

const onePerTenMs = {
  name: '1 controller, 1 vehicle, 10 ms',
  load: real({ ...oneForOne, periodMs: 10, periods: 1050, skip: 50 }),
};

const onePerFiveMs = {
  name: '1 controller, 1 vehicle, 5 ms',
  load: real({ ...oneForOne, periodMs: 5, periods: 1100, skip: 100 }),
};

const sixteenPerFiftyMs = {
  name: '16 controllers, 16 vehicles, 50 ms',
  load: real({
    controllers: 16,
    processes: 16,
    vehicles: 16,
    periodMs: 50,
    // Longer than other loads: V8 needs more periods to see as many commands.
    periods: 710,
    skip: 510,
  }),
};

const longTrajectories = {
  name: '4 controllers, 20 vehicles, 10 ms, 100 points',
  load: real({
    controllers: 4,
    processes: 4,
    vehicles: 20,
    points: 100,
    periodMs: 10,
    periods: 550,
    skip: 50,
  }),
};

const busyCores = {
  name: '1 controller, 1 vehicle, 10 ms, cores busy, real-time priority',
  load: real({ ...oneForOne, periodMs: 10, periods: 1050, skip: 50, busy: true, priority: 10 }),
};

const wholeFleet = {
  name: '100 controllers, 100 vehicles at 50 Hz, 50 ms',
  load: real({
    controllers: 100,
    processes: 4,
    vehicles: 100,
    periodMs: 50,
    periods: 210,
    skip: 10,
  }),
};

const largestFleet = {
  name: '64 controllers, 255 vehicles at 50 Hz, 50 ms',
  load: real({
    controllers: 64,
    processes: 4,
    vehicles: 255,
    periodMs: 50,
    periods: 150,
    skip: 10,
  }),
};

/**
 * Lateness of the start signal: from its own time (`t_now`) to its arrival at the controller, p99 of a
 * run, of the worst controller.
 * @type {Row}
 */
export const startSignalLateness = {
  name: 'start_signal_lateness_p99',
  ...lateness,
  loads: [
    { ...onePerTenMs, target: atMostTimesReference(2), quick: true },
    { ...onePerFiveMs, target: noTarget },
    { ...sixteenPerFiftyMs, target: below(1400) },
    { ...busyCores, target: below(1000) },
  ],
};

/**
 * Delay that a middleware adds to a command: from the controller's write to the middleware's write on
 * the lab side, p50 of a run.
 * @type {Row}
 */
export const forwardingDelay = {
  name: 'forwarding_delay_p50',
  ...forwarding,
  loads: [
    { ...onePerTenMs, target: atMostTimesReference(3), quick: true },
    { ...onePerFiveMs, target: atMostTimesReference(3) },
    { ...sixteenPerFiftyMs, target: all(atMostTimesReference(3), atVehiclesWithin(500)) },
    { ...longTrajectories, target: atMostTimesReference(3) },
    { ...busyCores, target: noTarget },
  ],
};

/**
 * Share of one core that the middleware uses, over the second half of the counted start signals. In a quick run V8
 * still compiles then.
 * @type {Row}
 */
export const fleetCpu = {
  name: 'fleet_cpu',
  ...processorShare,
  loads: [
    { ...wholeFleet, target: all(below(50), noPeriodSkipped) },
    { ...largestFleet, target: noTarget },
  ],
};

/**
 * From the start of the process to the line "waiting for controllers".
 * @type {Row}
 */
export const startupTime = {
  name: 'startup_time',
  unit: 'ms',
  better: 'less',
  figure: ({ startupMs }) => startupMs,
  loads: [{ ...onePerTenMs, name: '1 controller', target: below(1000), quick: true }],
};

/**
 * Peak resident memory of the middleware in a run, 10^6 bytes.
 * @type {Row}
 */
export const residentMemory = {
  name: 'resident_memory',
  ...peakMemory,
  loads: [
    { ...onePerTenMs, target: below(150), quick: true },
    { ...wholeFleet, target: below(150), quick: true },
    { ...largestFleet, target: below(150) },
  ],
};
