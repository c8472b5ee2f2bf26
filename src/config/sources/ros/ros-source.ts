import { HlcError } from '../../../errors/index.js';
import { shorten, type Assignment } from '../assignment.js';
import { flagNames, keyOfFlag } from '../command-line.js';
import type { ReadFile } from '../config-file.js';
import { parameterName } from '../../options/names.js';
import { nearestName } from '../nearest-name.js';
import type { NodeName } from './node-name.js';
import { rosParameters } from './ros-parameters.js';

/** What the parameters of ROS 2 say. */
export interface RosSource {
  readonly assignments: readonly Assignment[];
  readonly useSimTime: boolean;
  readonly startTypeDescription: boolean;
}

/** Parameters of every node of ROS 2, with their defaults. */
const parametersOfRos = { use_sim_time: false, start_type_description_service: true };
const trueWords = ['true', 'True', 'TRUE', 'yes', 'Yes', 'YES', 'y', 'Y', 'on', 'On', 'ON'];
const falseWords = ['false', 'False', 'FALSE', 'no', 'No', 'NO', 'n', 'N', 'off', 'Off', 'OFF'];
const qosOverrides = 'qos_overrides.';

/**
 * Parameters of this node as a source of the configuration.
 * @throws HlcError `HLC_CONFIG_ROS_ARGUMENT`, also for an override of QoS, and
 *   `HLC_CONFIG_UNKNOWN_NAME` for a name that is no option; unless it is meant for other nodes, too.
 */
export function readRosSource(
  ros: readonly string[],
  node: NodeName,
  readFile: ReadFile,
): RosSource {
  const assignments: Assignment[] = [];
  const flags: Record<keyof typeof parametersOfRos, boolean> = { ...parametersOfRos };
  for (const { name, text, forThisNode } of rosParameters(ros, node, readFile)) {
    const key = name.includes('-') ? undefined : keyOfFlag(name);
    if (key !== undefined) assignments.push({ key, text, origin: { kind: 'parameter' } });
    else if (isOfRos(name)) flags[name] = trueOrFalse(name, text);
    else if (forThisNode) throw name.startsWith(qosOverrides) ? notOverridden(name) : unknown(name);
  }
  return {
    assignments,
    useSimTime: flags.use_sim_time,
    startTypeDescription: flags.start_type_description_service,
  };
}

function isOfRos(name: string): name is keyof typeof parametersOfRos {
  return Object.hasOwn(parametersOfRos, name);
}

/** As rcl reads a boolean (rcl_yaml_param_parser). */
function trueOrFalse(name: string, text: string): boolean {
  if (trueWords.includes(text)) return true;
  if (falseWords.includes(text)) return false;
  throw new HlcError('HLC_CONFIG_ROS_ARGUMENT', {
    argument: `-p ${name}:=${shorten(text)}`,
    cause: 'it must be true or false',
  });
}

function notOverridden(name: string): HlcError {
  return new HlcError('HLC_CONFIG_ROS_ARGUMENT', {
    argument: shorten(name),
    cause: 'the QoS of this node is that of a QoS file; name one with --qos-file',
  });
}

function unknown(name: string): HlcError {
  const nearest = nearestName(name.replaceAll('_', '-'), flagNames);
  return new HlcError('HLC_CONFIG_UNKNOWN_NAME', {
    what: `ROS parameter "${shorten(name)}"`,
    ...(nearest === undefined ? {} : { nearest: `"${parameterName(nearest)}"` }),
  });
}
