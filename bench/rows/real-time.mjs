import { all, atMostTimesReference, below, noPeriodMissed } from '../reach.mjs';
import { real } from './row.mjs';

/** @import { Row } from './row.mjs' */

const onePerTenMs = real({
  controllers: 1,
  processes: 1,
  vehicles: 1,
  periodMs: 10,
  periods: 1000,
  skip: 100,
});

const sixteenPerFiftyMs = real({
  controllers: 16,
  processes: 16,
  vehicles: 16,
  periodMs: 50,
  periods: 220,
  skip: 20,
});

const wholeFleet = real({
  controllers: 100,
  processes: 4,
  vehicles: 100,
  periodMs: 50,
  periods: 220,
  skip: 20,
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
 * What a middleware adds to the time of a command from the controller's write to its arrival at
 * the vehicles, p50 of a run: the time through the middleware less the time of commands that the
 * controller writes to the vehicles itself.
 * @type {Row}
 */
export const forwardingDelay = {
  name: 'forwarding_delay_p50',
  unit: 'µs',
  figure: ({ delayP50Us }) => delayP50Us,
  addedToDirect: true,
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
      reach: all(atMostTimesReference(3), below(500)),
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
      reach: all(below(50), noPeriodMissed),
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
    },
  ],
};
