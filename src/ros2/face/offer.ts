import { guarded, guardedAsync } from '../guarded.js';
import type { RosFields, RosQos, RosResponse } from '../rclnodejs-api.js';
import { makeEntity, type RosNodeHandle } from '../ros-endpoint.js';

/**
 * Offers a service of the node's own. A throw of `answer` is told as a fault, and the client hears
 * nothing; so it is for what nobody can ask for.
 * @param name for example `~/pause`.
 * @param answer gives the fields that are not zero.
 * @throws HlcError `HLC_ROS_MESSAGES`, `HLC_DDS_ENTITY`.
 */
export function offerService(
  handle: RosNodeHandle,
  type: string,
  name: string,
  answer: (request: RosFields) => RosFields | Promise<RosFields>,
): void {
  const onRequest = guardedAsync(async (request: RosFields, response: RosResponse) => {
    const fields = await answer(request);
    if (!handle.closed) response.send({ ...response.template, ...fields });
  }, handle.onFault);
  makeEntity(handle.rclnodejs, 'service', type, name, () =>
    handle.node.createService(type, name, {}, onRequest),
  );
}

/** The QoS that topics of ROS 2 have by default: reliable, the last 10, volatile. */
function defaultQos({ rclnodejs }: RosNodeHandle): RosQos {
  return new rclnodejs.QoS(keepLast, 10, reliable, volatile);
}

const keepLast = 1;
const reliable = 1;
const volatile = 2;

/**
 * A topic of a type of ROS 2's own, for messages that are serialized here, since rclnodejs takes
 * milliseconds for it on the thread that sends the start signals.
 * @returns publishes; after the node was closed it does nothing. What goes wrong is told as a fault,
 *   since nothing of the session depends on it.
 * @throws HlcError `HLC_ROS_MESSAGES`, `HLC_DDS_ENTITY`.
 */
export function announceTopic(
  handle: RosNodeHandle,
  type: string,
  topic: string,
): (message: Buffer) => void {
  const publisher = makeEntity(handle.rclnodejs, 'writer', type, topic, () =>
    handle.node.createPublisher(type, topic, { qos: defaultQos(handle) }),
  );
  return guarded((message: Buffer) => {
    if (!handle.closed) publisher.publish(message);
  }, handle.onFault);
}
