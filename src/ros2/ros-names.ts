import type { TopicSpec } from '../ports/index.js';
import { rosTopicName } from './on-dds/ros-names.js';

/** `vehicleState` gives `vehicle_state`: relative, so that namespace and remaps of the node hold. */
export function relativeTopicName({ name }: TopicSpec): string {
  return rosTopicName(name, '/').slice(1);
}
