import { dancersAlone, dancersInLab } from '../dancers.mjs';
import { besideGateways, caveWorld, throughCarla } from '../gateways.mjs';
import { synchronoHeartbeats } from '../synchrono.mjs';
import {
  atLeast,
  atLeastTimesReference,
  atMostAboveReference,
  atMostTimesReference,
  below,
  noTarget,
} from '../target.mjs';
import { forwarding, lateness, processorShare, stepRate, stepTime } from './measures.mjs';
import { endless, real, realTurns, simulated, simulatedTurns } from './row.mjs';

/** @import { Row } from './row.mjs' */

const one = { controllers: 1, processes: 1, vehicles: 1 };

/** The reference is a controller in C on the same middleware. */
const carlaClient = {
  name: 'a CARLA client, simulated time; reference: a controller in C',
  load: { ...simulated({ ...one, periods: 8000, skip: 2000 }), deploy: throughCarla },
};

/** Packets of each client stand for periods. */
const caveClients = {
  name: '60 CAVE clients, 4 vehicles each, 50 Hz; reference: a server in C',
  load: { ...real({ ...one, periodMs: 20, periods: 250, skip: 100 }), deploy: caveWorld },
};

const besideInRealTime = {
  name: '10 ms, beside both gateways; reference: without them',
  load: { ...real({ ...one, ...endless, periodMs: 10 }), deployBoth: besideGateways(realTurns) },
};

/** Only the programs of the control loop have the priority; the gateways never delay them. */
const besideWithPriority = {
  name: '10 ms, beside both gateways, real-time priority; reference: without them',
  load: {
    ...real({ ...one, ...endless, periodMs: 10, priority: 10 }),
    deployBoth: besideGateways(realTurns),
  },
};

const besideInSimulatedTime = {
  name: '1 vehicle, beside both gateways; reference: without them',
  load: { ...simulated({ ...one, ...endless }), deployBoth: besideGateways(simulatedTurns) },
};

/** Windows stand for periods. */
const dancersSides = {
  name: 'DANCERS, two sides in C; reference: a coordinator in Python',
  load: { ...simulated({ ...one, periods: 20_000, skip: 2000 }), deploy: dancersAlone },
};

/** As above. @param {'gateway' | 'lab control'} timekeeper */
function dancersWithLab(timekeeper) {
  const size = { ...one, periods: 12_000, skip: 2000 };
  return {
    name: `DANCERS in a lab, one controller, time of the ${timekeeper}; reference: without a lab`,
    load: { ...simulated(size), deploy: dancersInLab(timekeeper) },
  };
}

/**
 * Frames per second of a synchronous client without sensors.
 * @type {Row}
 */
export const carlaFrames = {
  name: 'carla_frames',
  unit: 'frames/s',
  better: 'more',
  figure: ({ startSignalsPerSecond }) => startSignalsPerSecond,
  loads: [{ ...carlaClient, target: atLeast(1000), quick: true }],
};

/**
 * From one frame to the next, p50 of a run.
 * @type {Row}
 */
export const carlaStep = {
  name: 'carla_step_p50',
  ...stepTime,
  loads: [{ ...carlaClient, target: atMostAboveReference(300), quick: true }],
};

/**
 * From a packet of a client to the last datagram of its answer, p99 of a run. A run without an answer to
 * each packet fails.
 * @type {Row}
 */
export const caveAnswer = {
  name: 'cave_answer_p99',
  unit: 'µs',
  better: 'less',
  figure: ({ answerP99Us }) => answerP99Us,
  loads: [{ ...caveClients, target: below(5000), quick: true }],
};

/**
 * Share of one core that the server uses, over the second half of a run.
 * @type {Row}
 */
export const caveCpu = {
  name: 'cave_cpu',
  ...processorShare,
  loads: [{ ...caveClients, target: below(50), quick: true }],
};

/** Heartbeats stand for periods. @param {number} agents */
function synchronoNode(agents) {
  return {
    name: `SynChrono, a node with ${agents} agent${agents === 1 ? '' : 's'}; reference: that node`,
    load: {
      ...real({ ...one, periodMs: 10, periods: 600, skip: 0 }),
      deploy: synchronoHeartbeats(agents),
    },
  };
}

/**
 * Work of the gateway per heartbeat, p50 of a run.
 * @type {Row}
 */
export const synchronoHeartbeat = {
  name: 'synchrono_heartbeat_p50',
  ...stepTime,
  loads: [
    { ...synchronoNode(1), target: below(1000), quick: true },
    { ...synchronoNode(100), target: noTarget, quick: true },
  ],
};

/** @type {Row} */
export const dancersWindows = {
  name: 'dancers_windows',
  unit: 'windows/s',
  better: 'more',
  figure: ({ startSignalsPerSecond }) => startSignalsPerSecond,
  loads: [
    { ...dancersSides, target: atLeast(5000), quick: true },
    { ...dancersWithLab('gateway'), target: atLeast(1500), quick: true },
    { ...dancersWithLab('lab control'), target: noTarget },
  ],
};

/** @type {Row} */
export const besideLockstepRate = {
  name: 'beside_gateways_rate',
  ...stepRate,
  loads: [{ ...besideInSimulatedTime, target: atLeastTimesReference(0.91, 'without') }],
};

/** @type {Row} */
export const besideLateness = {
  name: 'beside_gateways_lateness_p99',
  ...lateness,
  loads: [
    { ...besideInRealTime, target: atMostTimesReference(1.1, 'without') },
    { ...besideWithPriority, target: atMostTimesReference(1.1, 'without') },
  ],
};

/** @type {Row} */
export const besideForwarding = {
  name: 'beside_gateways_forwarding_p50',
  ...forwarding,
  loads: [
    { ...besideInRealTime, target: atMostTimesReference(1.1, 'without') },
    { ...besideWithPriority, target: atMostTimesReference(1.1, 'without') },
  ],
};
