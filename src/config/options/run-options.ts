import type { Option } from './option.js';
import { controllersOptions } from './run/controllers-options.js';
import { generalOptions } from './run/general-options.js';
import { networkOptions } from './run/network-options.js';
import { outputOptions } from './run/output-options.js';
import { supervisionOptions } from './run/supervision-options.js';
import { timeOptions } from './run/time-options.js';

/**
 * The options of `hlc-middleware run`. The key in kebab-case is the flag and the key in the
 * configuration file, with underscores it is the flag in the spelling of the CPM Lab middleware, in
 * capitals with `HLC_MIDDLEWARE_` before it the environment variable.
 */
export const runOptions = {
  ...controllersOptions,
  ...timeOptions,
  ...networkOptions,
  ...supervisionOptions,
  ...outputOptions,
  ...generalOptions,
} as const satisfies Record<string, Option<unknown>>;

/** Key of an option. */
export type RunOptionKey = keyof typeof runOptions;

/** Keys of the options in the order in which help and documents list them. */
export const runOptionKeys = Object.keys(runOptions) as RunOptionKey[];

/** The option of this key, without its own value type. */
export function runOption(key: RunOptionKey): Option<unknown> {
  return runOptions[key];
}

/**
 * Options that say the same thing in different ways. The most binding source that gives one of a
 * group decides; what less binding sources say about the others of the group is set aside.
 */
export const alternatives: readonly (readonly RunOptionKey[])[] = [
  ['vehicleIds', 'vehicleId', 'vehicleAmount'],
  ['periodMs', 'periodNanoseconds'],
];
