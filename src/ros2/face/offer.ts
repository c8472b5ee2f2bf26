import { guardedAsync } from '../guarded.js';
import type { RosFields, RosResponse } from '../rclnodejs-api.js';
import { makeEntity, type RosNodeHandle } from '../ros-endpoint.js';

/**
 * Offers a service of the node's own. A throw of `answer` is reported as a fault, and the client
 * receives no answer; so no request may make it throw.
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
