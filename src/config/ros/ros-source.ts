import { HlcError } from '../../core/errors/index.js';
import { shorten, type Assignment } from '../assignment.js';
import { flagNames, keyOfFlag } from '../command-line.js';
import type { ReadFile } from '../config-file.js';
import { parameterName } from '../names.js';
import { nearestName } from '../nearest-name.js';
import type { NodeName } from './node-name.js';
import { rosParameters } from './ros-parameters.js';

/** What the parameters of ROS 2 say. */
export interface RosSource {
  readonly assignments: readonly Assignment[];
  readonly useSimTime: boolean;
}

/** Parameters that ROS 2 itself reads, by the beginning of their names. */
const namesOfRos = ['use_sim_time', 'start_type_description_service', 'qos_overrides.'];

/**
 * Parameters of this node as a source of the configuration.
 * @throws HlcError `HLC_CONFIG_ROS_ARGUMENT`, and `HLC_CONFIG_UNKNOWN_NAME` for a name that is no
 *   option, unless it is meant for other nodes, too.
 */
export const readRosSource = (
  ros: readonly string[],
  node: NodeName,
  readFile: ReadFile,
): RosSource => {
  const assignments: Assignment[] = [];
  let useSimTime = false;
  for (const { name, text, forThisNode } of rosParameters(ros, node, readFile)) {
    const key = name.includes('-') ? undefined : keyOfFlag(name);
    if (key !== undefined) assignments.push({ key, text, origin: { kind: 'parameter' } });
    else if (name === 'use_sim_time') useSimTime = text === 'true' || text === 'True';
    else if (forThisNode && !namesOfRos.some((known) => name.startsWith(known)))
      throw unknown(name);
  }
  return { assignments, useSimTime };
};

const unknown = (name: string): HlcError => {
  const nearest = nearestName(name.replaceAll('_', '-'), flagNames);
  return new HlcError('HLC_CONFIG_UNKNOWN_NAME', {
    what: `ROS parameter "${shorten(name)}"`,
    ...(nearest === undefined ? {} : { nearest: `"${parameterName(nearest)}"` }),
  });
};
