import type { CommandValues } from './command-options.js';
import type { Option } from './option.js';
import { decimalNumber, milliseconds, oneOf, vehicleIdList, wholeNumber } from './value-types.js';

const LONGEST_DELAY_NS = 10_000_000_000n;
const LARGEST_SEED = 2 ** 31 - 1;

const track = {
  group: 'Simulated lab',
  value: oneOf(['oval', 'figure-eight', 'circle']),
  default: 'oval',
  meaning: 'The figure that the vehicles start on and the example controllers drive.',
} as const satisfies Option<unknown>;

/** The options of `hlc-middleware drive` beside those of `run`. */
export const driveOptions = { track } as const satisfies Record<string, Option<unknown>>;

/** The options of `hlc-middleware fleet` beside those of `run`. */
export const fleetOptions = {
  track,
  seed: {
    group: 'Simulated lab',
    value: wholeNumber(0, LARGEST_SEED),
    default: '1',
    meaning: 'The same seed gives the same losses and the same noise.',
  },
  loss: {
    group: 'Simulated lab',
    value: decimalNumber(0, 1),
    default: '0',
    meaning: 'Fraction of the states, observations and commands that are lost.',
  },
  delayMs: {
    group: 'Simulated lab',
    value: milliseconds(0n, LONGEST_DELAY_NS),
    default: '0',
    meaning: 'How much later states are sent and commands take effect.',
  },
  stateNoise: {
    group: 'Simulated lab',
    value: decimalNumber(0, 10),
    default: '0',
    meaning: 'Standard deviation of the positions in states and observations, in metres.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The options of `hlc-middleware play` beside those of `run`. */
export const playOptions = {
  ...fleetOptions,
  controllers: {
    group: 'Simulated lab',
    value: oneOf(['example', 'none']),
    default: 'example',
    meaning: 'Every vehicle has an example controller, or none has one.',
  },
  own: {
    group: 'Simulated lab',
    value: vehicleIdList(),
    otherwise: 'none',
    meaning: 'Vehicles that have no example controller, since one of your own drives them.',
  },
} as const satisfies Record<string, Option<unknown>>;

const MOST_PARTICIPANTS = 1000;

/** The options of `hlc-middleware lab` beside those of `run`. */
export const labControlOptions = {
  participants: {
    group: 'Simulated lab',
    value: wholeNumber(0, MOST_PARTICIPANTS),
    default: '1',
    meaning:
      'Start when this many participants have signed in; 0: start with the line "start" only.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** What `hlc-middleware drive` was told beside what it shares with `run`. */
export type DriveValues = CommandValues<typeof driveOptions>;

/** The same of `hlc-middleware fleet`. */
export type FleetValues = CommandValues<typeof fleetOptions>;

/** The same of `hlc-middleware lab`. */
export type LabControlValues = CommandValues<typeof labControlOptions>;

/** The same of `hlc-middleware play`. */
export type PlayValues = CommandValues<typeof playOptions>;
