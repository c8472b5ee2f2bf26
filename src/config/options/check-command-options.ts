import type { CommandValues } from '../sources/command-options.js';
import type { Option } from './option.js';
import { trueOrFalse, wholeNumber } from './value-types.js';

const largestSeed = 2 ** 31 - 1;

/** The options of `hlc-middleware check` beside those of `run`. */
export const checkCommandOptions = {
  seed: {
    group: 'Check',
    value: wholeNumber(0, largestSeed),
    default: '1',
    meaning: 'Seed of the script: the order of its parts and the delays of start signals.',
  },
  realTimeOnly: {
    group: 'Check',
    value: trueOrFalse(),
    default: 'false',
    meaning: 'Test the rules of real time only.',
  },
  separately: {
    group: 'Check',
    value: trueOrFalse(),
    default: 'false',
    meaning:
      'Judge each controller of --vehicle-ids by itself, in the same run: one report per process that signs in.',
  },
  json: {
    group: 'Check',
    value: trueOrFalse(),
    default: 'false',
    meaning: 'Print the report as JSON.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of the flags of `hlc-middleware check` beside those of `run`. */
export type CheckValues = CommandValues<typeof checkCommandOptions>;
