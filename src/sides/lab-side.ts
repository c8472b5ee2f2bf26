import type { Command } from '../core/index.js';
import type { TransportWriter } from '../core/ports/index.js';
import {
  nestedSamples,
  topics,
  type NestedSample,
  type Topic,
  type VehicleObservation,
  type VehicleState,
} from '../messages/index.js';
import { commandTopics, type ReceivedCommand } from './command-topics.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';
import { writeTopic } from './topic-writer.js';

/**
 * What comes from the vehicles and their positioning system, decoded, and as it goes into a start
 * signal. Instants are monotonic, ns.
 */
export interface LabSideEvents {
  vehicleState(message: VehicleState, kept: NestedSample, receivedAtNs: bigint): void;
  vehicleObservation(message: VehicleObservation, kept: NestedSample, receivedAtNs: bigint): void;
}

/** The endpoints of the lab side: vehicles, their positioning system, lab control. */
export class LabSide {
  readonly #commands: Readonly<Record<ReceivedCommand['kind'], TransportWriter>>;
  readonly #ready: TransportWriter;

  constructor(
    side: Side,
    events: LabSideEvents,
    private readonly errors: TopicErrors,
  ) {
    const keepState = nestedSamples(topics.vehicleState.codec);
    readTopic(
      side,
      topics.vehicleState,
      (message, { bytes, receivedAtNs }) =>
        events.vehicleState(message, keepState(message, bytes), receivedAtNs),
      errors,
    );
    const keepObservation = nestedSamples(topics.vehicleObservation.codec);
    readTopic(
      side,
      topics.vehicleObservation,
      (message, { bytes, receivedAtNs }) =>
        events.vehicleObservation(message, keepObservation(message, bytes), receivedAtNs),
      errors,
    );
    this.#commands = {
      direct: writeTopic(side, commandTopics.direct, errors),
      speedCurvature: writeTopic(side, commandTopics.speedCurvature, errors),
      trajectory: writeTopic(side, commandTopics.trajectory, errors),
      pathTracking: writeTopic(side, commandTopics.pathTracking, errors),
    };
    this.#ready = writeTopic(side, topics.readyStatus, errors);
  }

  /** Of the commands of a kind. */
  writerOf(kind: Command['kind']): TransportWriter {
    return this.#commands[kind];
  }

  /** @throws HlcError `HLC_DDS_WRITE` when it could not be written in time. */
  forward(command: ReceivedCommand): void {
    this.#commands[command.kind].write(command.bytes);
  }

  /**
   * Writes a command of the middleware's own.
   * @throws HlcError `HLC_DDS_WRITE` when it could not be written in time.
   */
  command({ kind, message }: Command): void {
    // Kind and message belong together; the compiler cannot see that through the table.
    const topic = commandTopics[kind] as Topic<Command['message']>;
    this.#commands[kind].write(topic.codec.encode(message));
  }

  /** Tells the lab control that this node waits, and for which time, ns; 0 in real time. */
  signIn(nodeId: string, nextStartNs: bigint): void {
    const ready = { source_id: nodeId, next_start_stamp: { nanoseconds: nextStartNs } };
    this.errors.attempt(() => this.#ready.write(topics.readyStatus.codec.encode(ready)));
  }
}
