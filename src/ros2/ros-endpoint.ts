import { HlcError } from '../core/errors/index.js';
import type { TopicSpec } from '../core/ports/index.js';
import type { OnFault } from './guarded.js';
import { rosTypeOf } from './on-dds/ros-names.js';
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

/** GUID prefixes, 24 hex digits, of those endpoints that have the type of the topic. */
export function participantsOf(
  endpoints: readonly RosEndpointInfo[],
  topic: TopicSpec,
): ReadonlySet<string> {
  const { name: type } = rosTypeOf(topic);
  return new Set(
    endpoints
      .filter(({ topic_type }) => topic_type === type)
      .map(({ endpoint_gid }) => Buffer.from(endpoint_gid.slice(0, 12)).toString('hex')),
  );
}

/**
 * Makes a publisher or a subscription.
 * @throws HlcError `HLC_ROS_MESSAGES` when its type is not there, `HLC_DDS_ENTITY`.
 */
export function makeEndpoint<T>(
  { rclnodejs }: EndpointOwner,
  what: 'reader' | 'writer',
  topic: TopicSpec,
  make: (type: string) => T,
): T {
  const { name: type } = rosTypeOf(topic);
  requireType(rclnodejs, type);
  try {
    return make(type);
  } catch (cause) {
    throw new HlcError(
      'HLC_DDS_ENTITY',
      { what, topic: topic.name, cause: firstLine((cause as Error).message) },
      { cause },
    );
  }
}

/**
 * Makes sure that a type of ROS 2 is there.
 * @param type for example `std_srvs/srv/Trigger`.
 * @throws HlcError `HLC_ROS_MESSAGES`.
 */
export function requireType(rclnodejs: Rclnodejs, type: string): void {
  try {
    rclnodejs.require(type);
  } catch (cause) {
    throw new HlcError(
      'HLC_ROS_MESSAGES',
      {
        type,
        package: type.slice(0, type.indexOf('/')),
        cause: firstLine((cause as Error).message),
      },
      { cause },
    );
  }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
