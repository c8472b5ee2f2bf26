import { HlcError } from '../../errors/index.js';
import { describeAssignment } from '../sources/assignment.js';
import type { GivenValues } from '../sources/merge-sources.js';
import type { RunConfig } from './run-config.js';
import type { RunOptionKey } from '../options/run-options.js';
import type { RunValues } from '../options/run-schema.js';

/**
 * How the topics of each side are named.
 * @throws HlcError `HLC_CONFIG_CONFLICT` for the names of plain DDS on a side that is carried by ROS 2.
 */
export const resolveNaming = (
  values: RunValues,
  given: GivenValues,
  transports: Pick<RunConfig, 'labTransport' | 'controllerTransport'>,
): Pick<RunConfig, 'labNaming' | 'controllerNaming'> => {
  const namingOf = (side: 'lab' | 'controller'): RunConfig['labNaming'] => {
    const transport = transports[`${side}Transport`];
    const naming = values[`${side}Naming`] ?? values.naming ?? transport;
    if (transport === 'dds' || naming === 'ros2') return naming;
    throw new HlcError('HLC_CONFIG_CONFLICT', {
      first: firstOf(given, [`${side}Transport`, 'transport']),
      second: firstOf(given, [`${side}Naming`, 'naming']),
    });
  };
  return { labNaming: namingOf('lab'), controllerNaming: namingOf('controller') };
};

/** The first of these options that was given, as it was written. */
const firstOf = (given: GivenValues, keys: readonly RunOptionKey[]): string =>
  keys.flatMap((key) => given.get(key) ?? []).map(describeAssignment)[0] ?? '';
