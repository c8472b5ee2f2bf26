import { observed, recorded } from '../observed.mjs';
import { atLeastTimesReference, atMostTimesReference, below } from '../target.mjs';
import { forwarding, lateness, peakMemory, processorShare, stepRate } from './measures.mjs';
import { endless, real, realTurns, simulated, simulatedTurns } from './row.mjs';

/** @import { Row } from './row.mjs' */

const one = { controllers: 1, processes: 1, vehicles: 1 };

const inSimulatedTime = {
  name: '1 vehicle, with observer and recorder; reference: without them',
  load: { ...simulated({ ...one, ...endless }), deployBoth: observed(simulatedTurns) },
};

const inRealTime = {
  name: '10 ms, with observer and recorder; reference: without them',
  load: { ...real({ ...one, ...endless, periodMs: 10 }), deployBoth: observed(realTurns) },
};

/** Only the programs of the control loop have the priority; observer and recorder never delay them. */
const withPriority = {
  name: '10 ms, with observer and recorder, real-time priority; reference: without them',
  load: {
    ...real({ ...one, ...endless, periodMs: 10, priority: 10 }),
    deployBoth: observed(realTurns),
  },
};

const recordedFleet = {
  name: '100 vehicles at 50 Hz, 4 controllers, 50 ms; reference: the middleware',
  load: {
    ...real({ controllers: 4, processes: 4, vehicles: 100, periodMs: 50, periods: 300, skip: 50 }),
    deploy: recorded,
  },
};

/** @type {Row} */
export const observedLockstepRate = {
  name: 'observed_rate',
  ...stepRate,
  loads: [{ ...inSimulatedTime, target: atLeastTimesReference(0.95, 'without') }],
};

/** @type {Row} */
export const observedLateness = {
  name: 'observed_lateness_p99',
  ...lateness,
  loads: [
    { ...inRealTime, target: atMostTimesReference(1.1, 'without') },
    { ...withPriority, target: atMostTimesReference(1.1, 'without') },
  ],
};

/** @type {Row} */
export const observedForwarding = {
  name: 'observed_forwarding_p50',
  ...forwarding,
  loads: [
    { ...inRealTime, target: atMostTimesReference(1.1, 'without') },
    { ...withPriority, target: atMostTimesReference(1.1, 'without') },
  ],
};

/** @type {Row} */
export const observedMemory = {
  name: 'observed_memory',
  ...peakMemory,
  loads: [
    { ...inSimulatedTime, target: below(150) },
    { ...inRealTime, target: below(150) },
  ],
};

/**
 * Share of one core that the recorder uses, over the second half of a run. A run without each record fails.
 * @type {Row}
 */
export const recorderCpu = {
  name: 'recorder_cpu',
  ...processorShare,
  loads: [{ ...recordedFleet, target: below(5) }],
};
