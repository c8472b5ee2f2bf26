import type { CommandValues } from '../sources/command-options.js';
import { vehicleIdList } from './id-types.js';
import type { Option } from './option.js';
import {
  decimalNumber,
  filePath,
  milliseconds,
  oneOf,
  trueOrFalse,
  wholeNumber,
} from './value-types.js';

const longestDelayNs = 10_000_000_000n;
const largestSeed = 2 ** 31 - 1;
export const mostParticipants = 1000;

const track = {
  group: 'Simulated lab',
  value: oneOf(['oval', 'figure-eight', 'circle']),
  default: 'oval',
  meaning: 'Track of the vehicles and of the example controllers.',
} as const satisfies Option<unknown>;

/** The options of `hlc-middleware drive` beside those of `run`. */
export const driveOptions = { track } as const satisfies Record<string, Option<unknown>>;

/** How simulated vehicles are. */
const vehicleOptions = {
  track,
  seed: {
    group: 'Simulated lab',
    value: wholeNumber(0, largestSeed),
    default: '1',
    meaning: 'Seed of the random losses and of the noise; the same seed gives the same run.',
  },
  loss: {
    group: 'Simulated lab',
    value: decimalNumber(0, 1),
    default: '0',
    meaning: 'Fraction of the states, observations and commands that is lost.',
  },
  delayMs: {
    group: 'Simulated lab',
    value: milliseconds(0n, longestDelayNs),
    default: '0',
    meaning: 'Delay of states, observations and commands.',
  },
  stateNoise: {
    group: 'Simulated lab',
    value: decimalNumber(0, 10),
    default: '0',
    meaning: 'Standard deviation of the positions in states and observations, m.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The options of `hlc-middleware fleet` as a side of DANCERS. */
const physicsOptions = {
  physics: {
    group: 'Simulated lab',
    value: filePath(),
    otherwise: 'none',
    meaning:
      'DANCERS configuration: the vehicles are the physics side of its coordinator, and not on DDS.',
  },
  physicsInput: {
    group: 'Simulated lab',
    value: oneOf(['velocity', 'track']),
    default: 'velocity',
    meaning:
      'With --physics, how the vehicles move: by the velocities that they receive, or by themselves along the track.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The options of `hlc-middleware fleet` beside those of `run`. */
export const fleetOptions = {
  ...vehicleOptions,
  participants: {
    group: 'Simulated lab',
    value: wholeNumber(1, mostParticipants),
    default: '1',
    meaning:
      'With --simulated-time: let time begin when this many participants have signed in, for example a middleware and a gateway.',
  },
  ...physicsOptions,
} as const satisfies Record<string, Option<unknown>>;

/** The options of `hlc-middleware play` beside those of `run`. */
export const playOptions = {
  ...vehicleOptions,
  controllers: {
    group: 'Simulated lab',
    value: oneOf(['example', 'none']),
    default: 'example',
    meaning: 'Example controllers: one for every vehicle (example), or none.',
  },
  own: {
    group: 'Simulated lab',
    value: vehicleIdList(),
    otherwise: 'none',
    meaning: 'Vehicles without an example controller, for your own controllers.',
  },
  page: {
    group: 'Simulated lab',
    value: trueOrFalse(),
    default: 'false',
    meaning: 'Serve the page of "observe", print its address, and run until Ctrl-C.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The options of `hlc-middleware guard` beside those of `run`. */
export const guardOptions = {
  endWithStdin: {
    group: 'General',
    value: trueOrFalse(),
    default: 'false',
    meaning:
      'End when standard input is closed and the guard holds no vehicle, for a guard that another program starts.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The options of `hlc-middleware lab` beside those of `run`. */
export const labControlOptions = {
  participants: {
    group: 'Simulated lab',
    value: wholeNumber(0, mostParticipants),
    default: '1',
    meaning:
      'Start when this many participants have signed in; 0: start with the line "start" only.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of the flags of `hlc-middleware drive` beside those of `run`. */
export type DriveValues = CommandValues<typeof driveOptions>;

/** The values of the flags of `hlc-middleware fleet` beside those of `run`. */
export type FleetValues = CommandValues<typeof fleetOptions>;

/** The values of the flags of `hlc-middleware guard` beside those of `run`. */
export type GuardValues = CommandValues<typeof guardOptions>;

/** The values of the flags of `hlc-middleware lab` beside those of `run`. */
export type LabControlValues = CommandValues<typeof labControlOptions>;

/** The values of the flags of `hlc-middleware play` beside those of `run`. */
export type PlayValues = CommandValues<typeof playOptions>;
