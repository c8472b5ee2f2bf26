import { all, atMostTimesReference, atVehiclesWithin, below, noPeriodSkipped } from '../reach.mjs';
import { real } from './row.mjs';

/** @import { Row } from './row.mjs' */

const onePerTenMs = real({
  controllers: 1,
  processes: 1,
  vehicles: 1,
  periodMs: 10,
  periods: 1050,
  skip: 50,
});

const sixteenPerFiftyMs = real({
  controllers: 16,
  processes: 16,
  vehicles: 16,
  periodMs: 50,
  periods: 210,
  skip: 10,
});

const wholeFleet = real({
  controllers: 100,
  processes: 4,
  vehicles: 100,
  periodMs: 50,
  periods: 210,
  skip: 10,
});

/**
 * How late a start signal is: from the time that it names to its arrival at the controller, p99
 * of a run, the worst of several controllers.
 * @type {Row}
 */
export const startSignalLateness = {
  name: 'start_signal_lateness_p99',
  unit: 'µs',
  figure: ({ latenessP99Us }) => latenessP99Us,
  loads: [
    {
      name: '1 controller, 1 vehicle, 10 ms',
      load: onePerTenMs,
      reach: atMostTimesReference(2),
      quick: true,
    },
    {
      name: '16 controllers, 16 vehicles, 50 ms',
      load: sixteenPerFiftyMs,
      reach: below(1400),
    },
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
  figure: ({ forwardedP50Us }) => forwardedP50Us,
  loads: [
    {
      name: '1 controller, 1 vehicle, 10 ms',
      load: onePerTenMs,
      reach: atMostTimesReference(3),
      quick: true,
    },
    {
      name: '16 controllers, 16 vehicles, 50 ms',
      load: sixteenPerFiftyMs,
      reach: all(atMostTimesReference(3), atVehiclesWithin(500)),
    },
  ],
};

/**
 * Share of one core that the middleware takes, over the second half of a run.
 * @type {Row}
 */
export const fleetCpu = {
  name: 'fleet_cpu',
  unit: '% of a core',
  figure: ({ cpuShare }) => 100 * cpuShare,
  loads: [
    {
      name: '100 controllers, 100 vehicles at 50 Hz, 50 ms',
      load: wholeFleet,
      reach: all(below(50), noPeriodSkipped),
      quick: true,
    },
  ],
};

/**
 * From the start of the process to its waiting for controllers.
 * @type {Row}
 */
export const startupTime = {
  name: 'startup_time',
  unit: 'ms',
  figure: ({ startupMs }) => startupMs,
  loads: [{ name: '1 controller', load: onePerTenMs, reach: below(1000), quick: true }],
};

/**
 * The most memory of the middleware that was resident during a run, 10^6 bytes.
 * @type {Row}
 */
export const residentMemory = {
  name: 'resident_memory',
  unit: 'MB',
  figure: ({ peakResidentMb }) => peakResidentMb,
  loads: [
    {
      name: '1 controller, 1 vehicle, 10 ms',
      load: onePerTenMs,
      reach: below(150),
      quick: true,
    },
    {
      name: '100 controllers, 100 vehicles at 50 Hz, 50 ms',
      load: wholeFleet,
      reach: below(150),
      quick: true,
    },
  ],
};
