import type { CommandValues } from './command-options.js';
import type { Option } from './option.js';
import { ipv4Address, metres, oneOf, wholeNumber } from './value-types.js';

const LARGEST_PORT = 65_535;
/** A CARLA gateway has three ports. */
const LARGEST_WORLD_PORT = LARGEST_PORT - 2;

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
    value: wholeNumber(1, LARGEST_WORLD_PORT, { placeholder: '<port>' }),
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
