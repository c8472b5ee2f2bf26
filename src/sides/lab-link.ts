import { topics } from '../messages/index.js';
import type { ControllerSide } from './controller-side.js';
import { TopicRelay } from './topic-relay.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';

/** A system trigger of the lab control: a time, ns, or the stop symbol. */
export type OnTrigger = (nextStartNs: bigint, receivedAtNs: bigint) => void;

/**
 * Relays between lab control and controllers, as the CPM Lab middleware does: system triggers and goal
 * states to the controllers, stop requests to the lab.
 */
export class LabLink {
  readonly #goalStates: TopicRelay<unknown>;

  constructor(
    lab: Side,
    controllers: Side,
    controllerSide: ControllerSide,
    onTrigger: OnTrigger,
    errors: TopicErrors,
  ) {
    readTopic(
      lab,
      topics.systemTrigger,
      ({ next_start }, { bytes, receivedAtNs }) => {
        // Also before the controllers are ready, as the original does.
        controllerSide.passTrigger(bytes);
        onTrigger(next_start.nanoseconds, receivedAtNs);
      },
      errors,
    );
    this.#goalStates = new TopicRelay(
      topics.commonroad_dds_goal_states,
      lab,
      controllers,
      errors,
      'hold',
    );
    new TopicRelay(topics.stopRequest, controllers, lab, errors);
  }

  /** Sends the goal states that were held back until all controllers are ready, in order. */
  allReady(): void {
    this.#goalStates.release();
  }
}
