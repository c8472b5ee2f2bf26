import type { CommandValues } from '../sources/command-options.js';
import type { Option } from './option.js';
import { trueOrFalse, wholeNumber } from './value-types.js';

const largestSeed = 2 ** 31 - 1;

/** The options of `hlc-middleware certify` beside those of `run`. */
export const certifyOptions = {
  seed: {
    group: 'Certify',
    value: wholeNumber(0, largestSeed),
    default: '1',
    meaning: 'Seed of the script: the order of its parts and the delays of start signals.',
  },
  realTimeOnly: {
    group: 'Certify',
    value: trueOrFalse(),
    default: 'false',
    meaning: 'Test the rules of real time only.',
  },
  separately: {
    group: 'Certify',
    value: trueOrFalse(),
    default: 'false',
    meaning:
      'Judge each controller of --vehicle-ids by itself, in the same run: one report per process that signs in.',
  },
  json: {
    group: 'Certify',
    value: trueOrFalse(),
    default: 'false',
    meaning: 'Print the report as JSON.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of the flags of `hlc-middleware certify` beside those of `run`. */
export type CertifyValues = CommandValues<typeof certifyOptions>;
