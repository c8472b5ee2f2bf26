import { topics } from '../messages/index.js';
import type { ControllerSide } from './controller-side.js';
import type { PatientWriter } from './patient-writer.js';
import { relayTopic } from './relay-topic.js';
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
  readonly #goalStates: Pick<PatientWriter<unknown>, 'release'>;

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
    const goalStates = topics.commonroad_dds_goal_states;
    this.#goalStates = relayTopic(goalStates, lab, controllers, errors, 'hold');
    relayTopic(topics.stopRequest, controllers, lab, errors);
  }

  /** Sends the goal states that were held back until all controllers are ready, in order. */
  allReady(): void {
    this.#goalStates.release();
  }
}
