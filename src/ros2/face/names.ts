import { fullNodeName } from '../ros-names.js';
import type { RosNodeHandle } from '../ros-endpoint.js';

/** Full name of the node. */
export function fullNameOf({ node }: RosNodeHandle): string {
  return fullNodeName({ namespace: node.namespace(), name: node.name() });
}

/** How many other nodes have the very name of this one, as far as they are discovered. */
export function namesakesOf(handle: RosNodeHandle): number {
  const own = fullNameOf(handle);
  const all = handle.node
    .getNodeNamesAndNamespaces()
    .filter((other) => fullNodeName(other) === own);
  return Math.max(0, all.length - 1);
}
