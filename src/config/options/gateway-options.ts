import { maxVehicleId } from '../../core/index.js';
import type { CommandValues } from '../sources/command-options.js';
import { agentMap, idPairs, vehicleIdRanges } from './id-types.js';
import { mostParticipants } from './lab-options.js';
import type { Option } from './option.js';
import {
  decimalNumber,
  filePath,
  ipv4Address,
  metres,
  milliseconds,
  oneOf,
  trueOrFalse,
  wholeNumber,
} from './value-types.js';

const largestPort = 65_535;
/** A CARLA gateway has three ports. */
const largestWorldPort = largestPort - 2;

const listen = {
  group: 'Gateway',
  value: ipv4Address(),
  default: '127.0.0.1',
  meaning: 'Address of this machine on which the gateway listens; 0.0.0.0: all addresses.',
} as const satisfies Option<unknown>;

/** The options of `hlc-middleware gateway carla` beside those of `run`. */
export const carlaOptions = {
  port: {
    group: 'Gateway',
    value: wholeNumber(1, largestWorldPort, { placeholder: '<port>' }),
    default: '2000',
    meaning: 'World port; the gateway also uses the next two ports.',
  },
  listen,
  sensors: {
    group: 'Gateway',
    value: oneOf(['synthetic', 'blank', 'off']),
    default: 'synthetic',
    meaning:
      'Cameras and lidars of clients: drawn from boxes and flat ground, empty data of the right size, or none.',
  },
  vehicleLength: {
    group: 'Gateway',
    value: metres(),
    default: '0.22',
    meaning: 'Length of every vehicle.',
  },
  vehicleWidth: {
    group: 'Gateway',
    value: metres(),
    default: '0.107',
    meaning: 'Width of every vehicle.',
  },
  vehicleHeight: {
    group: 'Gateway',
    value: metres(),
    default: '0.07',
    meaning: 'Height of every vehicle.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of {@link carlaOptions}. */
export type CarlaValues = CommandValues<typeof carlaOptions>;

/** The options of `hlc-middleware gateway cave` beside those of `run`. */
export const caveOptions = {
  port: {
    group: 'Gateway',
    value: wholeNumber(1, largestPort, { placeholder: '<port>' }),
    default: '8082',
    meaning: 'Port, of TCP and of UDP.',
  },
  listen,
  ids: {
    group: 'Gateway',
    value: vehicleIdRanges(),
    default: '100-149',
    meaning: 'Vehicle ids for the vehicles of clients; further vehicles are refused.',
  },
  clients: {
    group: 'Gateway',
    value: wholeNumber(0, 256),
    default: '0',
    meaning:
      'Number of clients that simulated time waits for: the first step until they have joined, each step until they have sent a state of its time; a client silent for --age-out-ms is left out. 0: time waits for none, and states count when they arrive.',
  },
  range: {
    group: 'Gateway',
    value: metres(10_000),
    otherwise: 'no limit',
    meaning: 'Distance up to which a client receives other vehicles.',
  },
  subset: {
    group: 'Gateway',
    value: oneOf(['all', 'lab', 'clients']),
    default: 'all',
    meaning:
      'Vehicles that clients receive beside their own: all, those of the lab, or those of clients.',
  },
  ageOutMs: {
    group: 'Gateway',
    value: milliseconds(100_000_000n, 3_600_000_000_000n),
    default: '10000',
    meaning: 'Time without a message after which a client or a vehicle of the lab is removed.',
  },
  wheelbase: {
    group: 'Gateway',
    value: metres(),
    default: '0.15',
    meaning: 'Wheelbase of the vehicles of the lab, from which clients receive their wheels.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of {@link caveOptions}. */
export type CaveValues = CommandValues<typeof caveOptions>;

const largestDomain = 232;
const largestAgentId = 2 ** 32 - 1;

/** The options of `hlc-middleware gateway dancers` beside those of `run`. */
export const dancersOptions = {
  config: {
    group: 'Gateway',
    value: filePath(),
    otherwise: 'none; this flag is required',
    meaning: 'DANCERS configuration (YAML), with the keys of the original.',
  },
  connectTimeoutMs: {
    group: 'Gateway',
    value: milliseconds(0n, 3_600_000_000_000n),
    default: '60000',
    meaning: 'Time within which both sides must connect; 0: no limit.',
  },
  answerTimeoutMs: {
    group: 'Gateway',
    value: milliseconds(0n, 3_600_000_000_000n),
    default: '60000',
    meaning: 'Time within which a side must answer each message; 0: no limit.',
  },
  lab: {
    group: 'Gateway',
    value: trueOrFalse(),
    default: 'false',
    meaning: 'Take part in the simulated time of a lab, with agents as vehicles.',
  },
  ids: {
    group: 'Gateway',
    value: idPairs([largestAgentId, maxVehicleId], '<agent:vehicle>'),
    otherwise: 'required with --lab',
    meaning: 'Vehicle id of each agent; other agents are not in the lab.',
  },
  commands: {
    group: 'Gateway',
    value: oneOf(['none', 'velocity']),
    default: 'none',
    meaning:
      'With --lab, what the physics side receives: the message of the network side, or the velocities that the commands of the controllers ask for.',
  },
  participants: {
    group: 'Gateway',
    value: wholeNumber(0, mostParticipants),
    default: '0',
    meaning:
      'With --lab, keep the time of the lab, too, and let it begin when this many participants have signed in, the gateway included; 0: a lab control keeps the time.',
  },
  visibility: {
    group: 'Gateway',
    value: oneOf(['all', 'neighbors']),
    default: 'all',
    meaning:
      'With --lab, the vehicles in the start signals of the controllers in --controller-domains: all, or those that the radio of their vehicle reaches.',
  },
  controllerDomains: {
    group: 'Gateway',
    value: idPairs([maxVehicleId, largestDomain], '<vehicle:domain>'),
    otherwise: 'required with --visibility=neighbors',
    meaning: 'DDS domain of the controller of each vehicle, with --visibility=neighbors.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of {@link dancersOptions}. */
export type DancersValues = CommandValues<typeof dancersOptions>;

/** The highest number of a node: it is an int32 on the wire. */
const highestNode = 999_999_999;
const longestWaitNs = 3_600_000_000_000n;

/** The options of `hlc-middleware gateway synchrono` beside those of `run`. */
export const synchronoOptions = {
  node: {
    group: 'Gateway',
    value: wholeNumber(0, highestNode),
    default: '2',
    meaning: 'Number of the node that the gateway is; no other node has it.',
  },
  peers: {
    group: 'Gateway',
    value: wholeNumber(1, 255),
    default: '1',
    meaning: 'How many other nodes take part in the simulation.',
  },
  domain: {
    group: 'Gateway',
    value: wholeNumber(0, 232, { placeholder: '<id>' }),
    default: '33',
    meaning: 'DDS domain of the nodes: 33 since Chrono 10.0.0, and 0 up to 9.0.1.',
  },
  map: {
    group: 'Gateway',
    value: agentMap(),
    default: '1.1:100',
    meaning: 'Agents of other nodes that are vehicles of the lab, with their vehicle ids.',
  },
  heartbeatMs: {
    group: 'Gateway',
    value: milliseconds(1_000_000n, 10_000_000_000n),
    default: '10',
    meaning: 'Time between two heartbeats; the same as in the other nodes.',
  },
  joinTimeoutMs: {
    group: 'Gateway',
    value: milliseconds(100_000_000n, longestWaitNs),
    default: '60000',
    meaning: 'Longest wait until all --peers nodes are discovered; original nodes wait for ever.',
  },
  nodeTimeoutMs: {
    group: 'Gateway',
    value: milliseconds(100_000_000n, longestWaitNs),
    default: '15000',
    meaning:
      'Longest wait for a node within a heartbeat; original nodes stop waiting after 20000 ms.',
  },
  nodeTimeoutPolicy: {
    group: 'Gateway',
    value: oneOf(['wait', 'drop', 'halt']),
    default: 'wait',
    meaning:
      'Reaction when a node is missing after --join-timeout-ms or --node-timeout-ms: continue to wait (wait), continue without the node (drop), or end with exit code 4 (halt).',
  },
  wheelbase: {
    group: 'Gateway',
    value: metres(),
    default: '0.15',
    meaning: 'Distance between the axles of the vehicles of the lab.',
  },
  trackWidth: {
    group: 'Gateway',
    value: metres(),
    default: '0.1',
    meaning: 'Distance between the wheels of an axle of the vehicles of the lab.',
  },
  maxSteeringDeg: {
    group: 'Gateway',
    value: decimalNumber(0, 90),
    default: '28',
    meaning: 'Angle of the front wheels at full steering input, degrees.',
  },
  chassisVisFile: {
    group: 'Gateway',
    value: filePath(),
    otherwise: 'no mesh',
    meaning:
      'Mesh of the chassis in the data folder of Chrono; a file that a node does not have ends that node.',
  },
  wheelVisFile: {
    group: 'Gateway',
    value: filePath(),
    otherwise: 'no mesh',
    meaning:
      'Mesh of a wheel in the data folder of Chrono; a file that a node does not have ends that node.',
  },
  tireVisFile: {
    group: 'Gateway',
    value: filePath(),
    otherwise: 'no mesh',
    meaning:
      'Mesh of a tire in the data folder of Chrono; a file that a node does not have ends that node.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of {@link synchronoOptions}. */
export type SynchronoValues = CommandValues<typeof synchronoOptions>;
