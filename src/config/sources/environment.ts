import { HlcError } from '../../errors/index.js';
import { shorten, type Assignment } from './assignment.js';
import { flagNames, keyOfFlag } from './command-line.js';
import { variablePrefix, variableName } from '../options/names.js';
import { nearestName } from './nearest-name.js';

/** Set to 1: errors are shown with their stack. Not an option of the configuration. */
export const debugVariable = 'HLC_MIDDLEWARE_DEBUG';

/** The environment of a process, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The assignments in `HLC_MIDDLEWARE_…` variables. An empty variable counts as not set.
 * @throws HlcError `HLC_CONFIG_UNKNOWN_NAME` for a variable with this prefix that is no option.
 */
export function readEnvironment(environment: Environment): Assignment[] {
  const assignments: Assignment[] = [];
  for (const [variable, text] of Object.entries(environment)) {
    const ignored = !variable.startsWith(variablePrefix) || variable === debugVariable;
    if (ignored || text === undefined || text === '') continue;
    const suffix = variable.slice(variablePrefix.length);
    const name = suffix === suffix.toUpperCase() ? suffix.toLowerCase() : '';
    const key = keyOfFlag(name);
    if (key === undefined) {
      const nearest = nearestName(suffix, flagNames);
      throw new HlcError('HLC_CONFIG_UNKNOWN_NAME', {
        what: `environment variable ${shorten(variable)}`,
        ...(nearest === undefined ? {} : { nearest: variableName(nearest) }),
      });
    }
    assignments.push({ key, text, origin: { kind: 'variable' } });
  }
  return assignments;
}
