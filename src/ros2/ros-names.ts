import type { TopicSpec } from '../ports/index.js';
import { HlcError } from '../errors/index.js';
import { rosTypes, type RosType } from '../messages/index.js';

/** `vehicleState` gives `vehicle_state`: relative, so that namespace and remaps of the node hold. */
export function relativeTopicName({ name }: TopicSpec): string {
  return rosTopicName(name, '/').slice(1);
}

/** A node of ROS 2, as its users know it. */
export interface RosNode {
  /** Letters, digits and `_`, no digit at the beginning. */
  readonly name: string;
  /** `/`, or absolute and without `/` at the end: `/lab/one`. */
  readonly namespace: string;
}

/** A topic that has another name than its own; both in full. */
export interface TopicRemap {
  readonly from: string;
  readonly to: string;
}

/** What decides the names of topics. */
export interface TopicNames {
  readonly node: RosNode;
  /** Of those for one topic the first one holds. */
  readonly topicRemaps: readonly TopicRemap[];
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
  return fullNodeName({ namespace, name: words });
}

/**
 * The name of a topic on the wire, after the remaps of the node: `vehicleState` is `rt/vehicle_state`
 * in the namespace `/`.
 */
export function wireTopicName(topicName: string, { node, topicRemaps }: TopicNames): string {
  const own = rosTopicName(topicName, node.namespace);
  return `rt${topicRemaps.find(({ from }) => from === own)?.to ?? own}`;
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
