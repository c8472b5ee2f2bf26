import { z } from 'zod';

import type { Option } from './option.js';
import type { runOptions } from './run-options.js';
import { runOption, runOptionKeys, type RunOptionKey } from './run-options.js';

/** The type of an option's value; `undefined` when none is given and there is no default. */
type ValueOf<O> =
  O extends Option<infer T> ? (O extends { default: string } ? T : T | undefined) : never;

/** The values of all options, checked one by one. */
export type RunValues = { readonly [K in RunOptionKey]: ValueOf<(typeof runOptions)[K]> };

function fieldOf(option: Option<unknown>): z.ZodType {
  const { default: text, value } = option;
  return text === undefined ? value.schema.optional() : value.schema.prefault(text);
}

/**
 * Checks the texts of all options and fills in the defaults: from text by key to `RunValues`.
 * The object is made from the table of options, which the type system cannot follow; hence the
 * types here are stated, not inferred.
 */
export const runSchema = z.strictObject(
  Object.fromEntries(runOptionKeys.map((key) => [key, fieldOf(runOption(key))])),
) as unknown as z.ZodType<RunValues, Partial<Record<RunOptionKey, string>>>;
