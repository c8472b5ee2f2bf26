import { HlcError } from '../core/errors/index.js';
import { describeAssignment, describeName, shorten, type Assignment } from './assignment.js';
import type { GivenValues } from './merge-sources.js';
import { nearestName } from './nearest-name.js';
import { runOption, type RunOptionKey } from './run-options.js';
import { runSchema, type RunValues } from './run-schema.js';

/**
 * Checks every given value by itself and fills in the defaults.
 * @throws HlcError `HLC_CONFIG_VALUE`, `HLC_CONFIG_NOT_SERVED`.
 */
export const checkValues = (given: GivenValues): RunValues => {
  const texts = Object.fromEntries([...given].map(([key, { text }]) => [key, text]));
  const result = runSchema.safeParse(texts);
  if (!result.success) {
    const assignment = given.get(result.error.issues[0]?.path[0] as RunOptionKey);
    throw assignment === undefined ? result.error : badValue(assignment);
  }
  for (const assignment of given.values()) {
    refuseUnserved(assignment, String(result.data[assignment.key]));
  }
  return result.data;
};

const badValue = (assignment: Assignment): HlcError => {
  const { rule, words = [] } = runOption(assignment.key).value;
  const nearest = nearestName(assignment.text, words);
  return new HlcError('HLC_CONFIG_VALUE', {
    name: describeName(assignment),
    value: shorten(assignment.text),
    rule,
    ...(nearest === undefined ? {} : { nearest }),
  });
};

const refuseUnserved = (assignment: Assignment, value: string): void => {
  const { limit } = runOption(assignment.key);
  if (limit === undefined || limit.servedValues.includes(value)) return;
  const nameSaysAll = limit.servedValues.length === 0 || value === 'true';
  throw new HlcError('HLC_CONFIG_NOT_SERVED', {
    what: nameSaysAll ? describeName(assignment) : describeAssignment(assignment),
    reason: limit.reason,
    servedValues: limit.servedValues,
  });
};
