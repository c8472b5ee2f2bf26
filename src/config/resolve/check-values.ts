import { HlcError } from '../../errors/index.js';
import { describeName, shorten, type Assignment } from '../sources/assignment.js';
import type { GivenValues } from '../sources/merge-sources.js';
import { nearestName } from '../sources/nearest-name.js';
import { runOption, type RunOptionKey } from '../options/run-options.js';
import { runSchema, type RunValues } from '../options/run-schema.js';

/**
 * Checks every given value by itself and fills in the defaults.
 * @throws HlcError `HLC_CONFIG_VALUE`.
 */
export function checkValues(given: GivenValues): RunValues {
  const texts = Object.fromEntries([...given].map(([key, { text }]) => [key, text]));
  const result = runSchema.safeParse(texts);
  if (!result.success) {
    const assignment = given.get(result.error.issues[0]?.path[0] as RunOptionKey);
    throw assignment === undefined ? result.error : badValue(assignment);
  }
  return result.data;
}

/**
 * Checks a value that a user gives to the parameter log_level while the program runs.
 * @throws HlcError `HLC_CONFIG_VALUE`.
 */
export function checkLogLevel(value: unknown): RunValues['logLevel'] {
  const assignment: Assignment = {
    key: 'logLevel',
    text: String(value),
    origin: { kind: 'parameter' },
  };
  return checkValues(new Map([['logLevel', assignment]])).logLevel;
}

function badValue(assignment: Assignment): HlcError {
  const { rule, words = [] } = runOption(assignment.key).value;
  const nearest = nearestName(assignment.text, words);
  return new HlcError('HLC_CONFIG_VALUE', {
    name: describeName(assignment),
    value: shorten(assignment.text),
    rule,
    ...(nearest === undefined ? {} : { nearest }),
  });
}
