import { guarded } from '../guarded.js';
import type { RosQos } from '../rclnodejs-api.js';
import { makeEntity, type RosNodeHandle } from '../ros-endpoint.js';
import { fullNodeName } from '../ros-names.js';
import { keepLast, reliable, transientLocal, volatile } from '../ros-qos.js';
import { fullNameOf } from './names.js';
import type { FaceQos, RosTopics } from './topics.js';

const qosOf: Readonly<Record<FaceQos, readonly [depth: number, durability: number]>> = {
  default: [10, volatile],
  log: [1000, transientLocal],
};

/**
 * The topics of a node of rclnodejs. Messages are serialized here, since rclnodejs takes milliseconds
 * for it on the thread that sends the start signals.
 */
export function nodeTopics(handle: RosNodeHandle): RosTopics {
  const { node, rclnodejs } = handle;
  const announced = new Set<string>();
  return {
    nodeName: fullNameOf(handle),
    nowNs: () => node.getClock().now().nanoseconds,
    announce: (type, topic, qos = 'default') => {
      const publisher = makeEntity(rclnodejs, 'writer', type, topic, () =>
        node.createPublisher(type, topic, { qos: rosQosOf(handle, qos) }),
      );
      announced.add(topic);
      return guarded((message: Buffer) => {
        if (!handle.closed) publisher.publish(message);
      }, handle.onFault);
    },
    otherPublishersOf: (topic) => {
      const names = node
        .getPublishersInfoByTopic(topic)
        .map(({ node_namespace: namespace, node_name: name }) => fullNodeName({ namespace, name }));
      // One publisher of this name is this node itself; a second one is another node of that name.
      const own = announced.has(topic) ? names.indexOf(fullNameOf(handle)) : -1;
      return names.filter((_, index) => index !== own);
    },
  };
}

function rosQosOf({ rclnodejs }: RosNodeHandle, qos: FaceQos): RosQos {
  const [depth, durability] = qosOf[qos];
  return new rclnodejs.QoS(keepLast, depth, reliable, durability);
}
