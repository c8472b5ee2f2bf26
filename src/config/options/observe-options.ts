import type { CommandValues } from '../sources/command-options.js';
import type { Option } from './option.js';
import { oneOf, wholeNumber } from './value-types.js';

const largestPort = 65_535;

/** The options of `hlc-middleware observe` beside those of `run`. */
export const observeOptions = {
  port: {
    group: 'General',
    value: wholeNumber(0, largestPort, { placeholder: '<port>' }),
    otherwise: '8740, or any free port when that one is taken',
    meaning: 'Port of the page on 127.0.0.1; 0: any free port.',
  },
  drawTrack: {
    group: 'General',
    value: oneOf(['none', 'oval', 'figure-eight', 'circle']),
    default: 'none',
    meaning: 'Track of the simulated lab that the map shows.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of {@link observeOptions}. */
export type ObserveValues = CommandValues<typeof observeOptions>;
