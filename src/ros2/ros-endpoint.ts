import { HlcError } from '../errors/index.js';
import type { TopicSpec } from '../ports/index.js';
import type { OnFault } from './guarded.js';
import { fullNodeName } from './ros-names.js';
import { rosTypeOf } from './ros-names.js';
import type { Rclnodejs, RosEndpointInfo, RosNode } from './rclnodejs-api.js';

/** A node of rclnodejs, for those who offer something on it. */
export interface RosNodeHandle {
  readonly rclnodejs: Rclnodejs;
  readonly node: RosNode;
  readonly closed: boolean;
  readonly onFault: OnFault;
}

/** What an endpoint needs of the node that it belongs to. */
export interface EndpointOwner extends RosNodeHandle {
  forget(endpoint: { close(): void }): void;
}

/**
 * Does what may not happen within a callback of rclnodejs, where it destroys an entity that the
 * caller still uses.
 */
export function afterCallbacks(owner: EndpointOwner, destroy: () => void): void {
  setImmediate(() => {
    if (owner.closed) return;
    try {
      destroy();
    } catch (fault) {
      owner.onFault(fault);
    }
  });
}

/** A publisher or a subscription of another node. */
export interface RosPeer {
  /** GUID prefix, 24 hex digits. */
  readonly participant: string;
  /** Full name of its node. */
  readonly node: string;
}

/** Those endpoints that have the type of the topic. */
export function peersOf(
  endpoints: readonly RosEndpointInfo[],
  topic: TopicSpec,
): readonly RosPeer[] {
  const { name: type } = rosTypeOf(topic);
  return endpoints
    .filter(({ topic_type }) => topic_type === type)
    .map(({ endpoint_gid, node_name, node_namespace }) => ({
      participant: Buffer.from(endpoint_gid.slice(0, 12)).toString('hex'),
      node: fullNodeName({ namespace: node_namespace, name: node_name }),
    }));
}

/** GUID prefixes, 24 hex digits, of those endpoints that have the type of the topic. */
export function participantsOf(
  endpoints: readonly RosEndpointInfo[],
  topic: TopicSpec,
): ReadonlySet<string> {
  return new Set(peersOf(endpoints, topic).map(({ participant }) => participant));
}

/**
 * Makes a publisher or a subscription.
 * @throws HlcError `HLC_ROS_MESSAGES` when its type is not there, `HLC_DDS_ENTITY`.
 */
export function makeEndpoint<T>(
  { rclnodejs }: RosNodeHandle,
  what: 'reader' | 'writer',
  topic: TopicSpec,
  make: (type: string) => T,
): T {
  const { name: type } = rosTypeOf(topic);
  return makeEntity(rclnodejs, what, type, topic.name, () => make(type));
}

/**
 * Makes an entity of a node.
 * @param type for example `std_srvs/srv/Trigger`.
 * @param name of its topic or service.
 * @throws HlcError `HLC_ROS_MESSAGES` when its type is not there, `HLC_DDS_ENTITY`.
 */
export function makeEntity<T>(
  rclnodejs: Rclnodejs,
  what: 'reader' | 'writer' | 'service',
  type: string,
  name: string,
  make: () => T,
): T {
  try {
    rclnodejs.require(type);
  } catch (cause) {
    throw missing(type, cause as Error);
  }
  try {
    return make();
  } catch (error) {
    const cause = error as Error;
    // What rclnodejs once made of a package outlives the package.
    if (cause.message.includes('rosidl_typesupport')) throw missing(type, cause);
    throw new HlcError(
      'HLC_DDS_ENTITY',
      { what, topic: name, cause: firstLine(cause.message) },
      { cause },
    );
  }
}

function missing(type: string, cause: Error): HlcError {
  return new HlcError(
    'HLC_ROS_MESSAGES',
    { type, package: type.slice(0, type.indexOf('/')), cause: firstLine(cause.message) },
    { cause },
  );
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
