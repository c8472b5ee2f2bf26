import type { Transport, TransportWriter } from '../core/ports/index.js';
import type { QosProfile } from '../dds/qos/index.js';
import { topics, type VehicleObservation, type VehicleState } from '../messages/index.js';
import { commandTopics, type ReceivedCommand } from './command-topics.js';
import { readTopic, type TopicTrouble } from './topic-reader.js';
import { writeTopic } from './topic-writer.js';

/** What comes from the lab side. Instants are monotonic, ns. */
export interface LabSideEvents extends TopicTrouble {
  vehicleState(message: VehicleState, receivedAtNs: bigint): void;
  vehicleObservation(message: VehicleObservation, receivedAtNs: bigint): void;
}

/** The endpoints of the lab side: vehicles, their positioning system, lab control. */
export class LabSide {
  readonly #commands: Readonly<Record<ReceivedCommand['kind'], TransportWriter>>;

  constructor(
    private readonly transport: Transport,
    profile: QosProfile,
    events: LabSideEvents,
  ) {
    readTopic(
      transport,
      profile,
      topics.vehicleState,
      (message, sample) => events.vehicleState(message, sample.receivedAtNs),
      events,
    );
    readTopic(
      transport,
      profile,
      topics.vehicleObservation,
      (message, sample) => events.vehicleObservation(message, sample.receivedAtNs),
      events,
    );
    this.#commands = {
      direct: writeTopic(transport, profile, commandTopics.direct, events),
      speedCurvature: writeTopic(transport, profile, commandTopics.speedCurvature, events),
      trajectory: writeTopic(transport, profile, commandTopics.trajectory, events),
      pathTracking: writeTopic(transport, profile, commandTopics.pathTracking, events),
    };
  }

  /** @throws HlcError `HLC_DDS_WRITE` when it could not be written in time. */
  forward(command: ReceivedCommand): void {
    this.#commands[command.kind].write(command.bytes);
  }

  close(): void {
    this.transport.close();
  }
}
