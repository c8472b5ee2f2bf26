import {
  all,
  atMostTimesReference,
  atVehiclesWithin,
  below,
  noPeriodSkipped,
  noReach,
} from '../reach.mjs';
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
    // Longer than others: V8 sees few commands in a period of this length.
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
 * How late a start signal is: from the time that it names to its arrival at the controller, p99
 * of a run, the worst of several controllers.
 * @type {Row}
 */
export const startSignalLateness = {
  name: 'start_signal_lateness_p99',
  unit: 'µs',
  better: 'less',
  figure: ({ latenessP99Us }) => latenessP99Us,
  loads: [
    { ...onePerTenMs, reach: atMostTimesReference(2), quick: true },
    { ...onePerFiveMs, reach: noReach },
    { ...sixteenPerFiftyMs, reach: below(1400) },
    { ...busyCores, reach: below(1000) },
  ],
};

/**
 * What a middleware adds to the way of a command: from the controller's write to the middleware's
 * own write of it on the lab side, p50 of a run.
 * @type {Row}
 */
export const forwardingDelay = {
  name: 'forwarding_delay_p50',
  unit: 'µs',
  better: 'less',
  figure: ({ forwardedP50Us }) => forwardedP50Us,
  loads: [
    { ...onePerTenMs, reach: atMostTimesReference(3), quick: true },
    { ...onePerFiveMs, reach: atMostTimesReference(3) },
    { ...sixteenPerFiftyMs, reach: all(atMostTimesReference(3), atVehiclesWithin(500)) },
    { ...longTrajectories, reach: atMostTimesReference(3) },
    { ...busyCores, reach: noReach },
  ],
};

/**
 * Share of one core that the middleware takes, over the second half of a run.
 * @type {Row}
 */
export const fleetCpu = {
  name: 'fleet_cpu',
  unit: '% of a core',
  better: 'less',
  figure: ({ cpuShare }) => 100 * cpuShare,
  loads: [
    { ...wholeFleet, reach: all(below(50), noPeriodSkipped), quick: true },
    { ...largestFleet, reach: noReach },
  ],
};

/**
 * From the start of the process to its waiting for controllers.
 * @type {Row}
 */
export const startupTime = {
  name: 'startup_time',
  unit: 'ms',
  better: 'less',
  figure: ({ startupMs }) => startupMs,
  loads: [{ ...onePerTenMs, name: '1 controller', reach: below(1000), quick: true }],
};

/**
 * The most memory of the middleware that was resident during a run, 10^6 bytes.
 * @type {Row}
 */
export const residentMemory = {
  name: 'resident_memory',
  unit: 'MB',
  better: 'less',
  figure: ({ peakResidentMb }) => peakResidentMb,
  loads: [
    { ...onePerTenMs, reach: below(150), quick: true },
    { ...wholeFleet, reach: below(150), quick: true },
    { ...largestFleet, reach: below(150) },
  ],
};
