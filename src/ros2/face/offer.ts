import { guardedAsync } from '../guarded.js';
import type { RosFields, RosQos } from '../rclnodejs-api.js';
import { requireType, type RosNodeHandle } from '../ros-endpoint.js';

/**
 * Offers a service of the node's own. A throw of `answer` is told as a fault, and the client hears
 * nothing; so it is for what nobody can ask for.
 * @param name for example `~/pause`.
 * @param answer gives the fields that are not zero.
 * @throws HlcError `HLC_ROS_MESSAGES`.
 */
export function offerService(
  handle: RosNodeHandle,
  type: string,
  name: string,
  answer: (request: RosFields) => RosFields | Promise<RosFields>,
): void {
  requireType(handle.rclnodejs, type);
  handle.node.createService(
    type,
    name,
    {},
    guardedAsync(async (request, response) => {
      const fields = await answer(request);
      if (!handle.closed) response.send({ ...response.template, ...fields });
    }, handle.onFault),
  );
}

/** The QoS that topics of ROS 2 have by default: reliable, the last 10, volatile. */
export function defaultQos({ rclnodejs }: RosNodeHandle): RosQos {
  return new rclnodejs.QoS(keepLast, 10, reliable, volatile);
}

const keepLast = 1;
const reliable = 1;
const volatile = 2;

/**
 * A topic of a type of ROS 2's own, for messages that are serialized here, since rclnodejs takes
 * milliseconds for it on the thread that sends the start signals.
 * @returns publishes; after the node was closed it does nothing.
 * @throws HlcError `HLC_ROS_MESSAGES`.
 */
export function announceTopic(
  handle: RosNodeHandle,
  type: string,
  topic: string,
): (message: Buffer) => void {
  requireType(handle.rclnodejs, type);
  const publisher = handle.node.createPublisher(type, topic, { qos: defaultQos(handle) });
  return (message) => {
    if (!handle.closed) publisher.publish(message);
  };
}
