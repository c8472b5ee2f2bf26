import { z } from 'zod';
import type { CommandValues } from '../sources/command-options.js';
import type { Option } from './option.js';
import { oneOf, wholeNumber, type ValueType } from './value-types.js';

const largestPort = 65_535;

const origin = /^[a-z][a-z0-9+.-]{0,20}:\/\/[a-z0-9.:-]{0,100}$/;

function originList(): ValueType<readonly string[]> {
  return {
    schema: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.string().regex(origin)).max(16)),
    placeholder: '<origins>',
    rule: 'origins of web pages with commas between them, for example https://app.foxglove.dev,file://',
    range: 'for example https://app.foxglove.dev',
  };
}

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
  foxgloveOrigins: {
    group: 'General',
    value: originList(),
    otherwise: 'none',
    meaning:
      'Origins of other web pages that may read the run as Foxglove clients, with commas between them.',
  },
} as const satisfies Record<string, Option<unknown>>;

/** The values of {@link observeOptions}. */
export type ObserveValues = CommandValues<typeof observeOptions>;
