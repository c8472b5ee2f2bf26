import { HlcError } from '../../core/errors/index.js';
import type { TopicSpec } from '../../core/ports/index.js';
import { rosTypes, type RosType } from '../../messages/index.js';

/** A node of ROS 2, as its users know it. */
export interface RosNode {
  /** Letters, digits and `_`, no digit at the beginning. */
  readonly name: string;
  /** `/`, or absolute and without `/` at the end: `/lab/one`. */
  readonly namespace: string;
}

/** A legal name of a node that is near to this one. */
export function rosNodeName(name: string): string {
  const legal = name.replaceAll(/[^A-Za-z0-9_]/g, '_');
  return /^\d/.test(legal) ? `_${legal}` : legal;
}

/** `/lab/one/middleware`: namespace and name of a node in one. */
export function fullNodeName({ name, namespace }: RosNode): string {
  return `${namespace === '/' ? '' : namespace}/${name}`;
}

/**
 * The name of a topic in ROS 2: its words with `_` between them, in the namespace of the node.
 * `vehicleStateList` is `/vehicle_state_list` in the namespace `/`.
 */
export function rosTopicName(topicName: string, namespace: string): string {
  const words = topicName.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return `${namespace === '/' ? '' : namespace}/${words}`;
}

/** The name of a topic of ROS 2 on the wire: `/vehicle_state` is `rt/vehicle_state`. */
export function wireTopicName(rosTopic: string): string {
  return `rt${rosTopic}`;
}

/**
 * How ROS 2 knows the type of a topic.
 * @throws HlcError `HLC_DDS_ENTITY` when the type is none of a topic in `idl/`.
 */
export function rosTypeOf(topic: TopicSpec): RosType {
  const type = rosTypes[topic.typeName];
  if (type !== undefined) return type;
  throw new HlcError('HLC_DDS_ENTITY', {
    what: 'endpoint',
    topic: topic.name,
    cause: `the package hlc_middleware_msgs has no type ${topic.typeName}`,
  });
}
