import { CdrWriter } from '../../messages/index.js';
import {
  allTransitions,
  commandMeant,
  type LifeCycle,
  type LifecycleTransition,
  stateIds,
  transitionsFrom,
} from '../../core/index.js';
import type { RosFields } from '../rclnodejs-api.js';
import type { RosNodeHandle } from '../ros-endpoint.js';
import { nodeTopics } from './node-topics.js';
import { offerService } from './offer.js';

/**
 * Serves the interfaces of a managed node for a life cycle. (The LifecycleNode of rclnodejs 2.2 does
 * not answer `~/get_transition_graph`, leaves who asks for an impossible transition without an
 * answer, and knows no transition that takes its time.)
 * @returns publishes a transition on `~/transition_event`.
 * @throws HlcError `HLC_ROS_MESSAGES`.
 */
export function offerLifecycle(
  handle: RosNodeHandle,
  life: LifeCycle,
): (transition: LifecycleTransition) => void {
  const offer = (
    type: string,
    name: string,
    answer: (request: RosFields) => RosFields | Promise<RosFields>,
  ) => offerService(handle, `lifecycle_msgs/srv/${type}`, `~/${name}`, answer);
  offer('GetState', 'get_state', () => ({ current_state: stateMessage(life.state) }));
  offer('GetAvailableStates', 'get_available_states', () => ({
    available_states: (Object.keys(stateIds) as (keyof typeof stateIds)[]).map(stateMessage),
  }));
  offer('GetAvailableTransitions', 'get_available_transitions', () => ({
    available_transitions: transitionsFrom(life.state).map(descriptionMessage),
  }));
  offer('GetAvailableTransitions', 'get_transition_graph', () => ({
    available_transitions: allTransitions.map(descriptionMessage),
  }));
  offer('ChangeState', 'change_state', async ({ transition }) => {
    const command = commandMeant(life.state, transition as { id: number; label: string });
    const success = command !== undefined && (await life.command(command)) === 'success';
    return { success };
  });
  const topics = nodeTopics(handle);
  const publish = topics.announce('lifecycle_msgs/msg/TransitionEvent', '~/transition_event');
  return (transition) => publish(encodeEvent(transition, topics.nowNs()));
}

function stateMessage(label: keyof typeof stateIds): RosFields {
  return { id: stateIds[label], label };
}

function descriptionMessage({ id, label, from, to }: LifecycleTransition): RosFields {
  return {
    transition: { id, label },
    start_state: stateMessage(from),
    goal_state: stateMessage(to),
  };
}

/** `lifecycle_msgs/msg/TransitionEvent`, serialized. */
function encodeEvent({ id, label, from, to }: LifecycleTransition, timeNs: bigint): Buffer {
  const writer = new CdrWriter().begin();
  writer.uint64(timeNs, 'timestamp');
  writer.uint8(id, 'transition.id');
  writer.string(label, 'transition.label');
  writer.uint8(stateIds[from], 'start_state.id');
  writer.string(from, 'start_state.label');
  writer.uint8(stateIds[to], 'goal_state.id');
  writer.string(to, 'goal_state.label');
  return Buffer.from(writer.finish());
}
