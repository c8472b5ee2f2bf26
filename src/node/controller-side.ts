import type { Transport, TransportWriter } from '../core/ports/index.js';
import { STOP_SYMBOL, type Command } from '../core/index.js';
import type { QosProfile } from '../dds/qos/index.js';
import { topics, type VehicleStateList } from '../messages/index.js';
import { commandTopics, type ReceivedCommand } from './command-topics.js';
import { ReadyGate } from './ready-gate.js';
import { readTopic, type TopicTrouble } from './topic-reader.js';
import { writeTopic } from './topic-writer.js';

/** What comes from the controller side. Instants are monotonic, ns. */
export interface ControllerSideEvents extends TopicTrouble {
  readySignal(sourceId: string): void;
  command(command: ReceivedCommand, receivedAtNs: bigint): void;
  /** A controller is ready, and yet has no reader for start signals. */
  deaf(sourceId: string): void;
}

/** The endpoints of the controller side. */
export class ControllerSide {
  readonly #startSignals: TransportWriter;
  readonly #triggers: TransportWriter;
  readonly #gate: ReadyGate;

  constructor(
    private readonly transport: Transport,
    profile: QosProfile,
    events: ControllerSideEvents,
  ) {
    // Readers of commands come before that of ready signals: whoever sees us listen for the
    // latter can count on the former.
    this.#readCommands(profile, 'direct', events);
    this.#readCommands(profile, 'speedCurvature', events);
    this.#readCommands(profile, 'trajectory', events);
    this.#readCommands(profile, 'pathTracking', events);
    this.#triggers = writeTopic(transport, profile, topics.systemTrigger, events);
    this.#startSignals = writeTopic(transport, profile, topics.vehicleStateList, events, {
      onMatched: () => this.#gate.readersChanged(),
    });
    this.#gate = new ReadyGate(() => this.#startSignals.matchedParticipants(), events);
    readTopic(
      transport,
      profile,
      topics.readyStatus,
      (message, { writer }) => this.#gate.readySignal(message.source_id, writer.guid),
      events,
    );
  }

  /** @throws HlcError `HLC_DDS_WRITE` when it could not be written in time. */
  sendStartSignal(list: VehicleStateList): void {
    this.#startSignals.write(topics.vehicleStateList.codec.encode(list));
  }

  /** Tells the controllers that the run is over. */
  sendStop(): void {
    const trigger = { next_start: { nanoseconds: STOP_SYMBOL } };
    this.#triggers.write(topics.systemTrigger.codec.encode(trigger));
  }

  close(): void {
    this.#gate.close();
    this.transport.close();
  }

  #readCommands(profile: QosProfile, kind: Command['kind'], events: ControllerSideEvents): void {
    readTopic<Command['message']>(
      this.transport,
      profile,
      commandTopics[kind],
      (message, { bytes, writer, receivedAtNs }) => {
        // Kind and message belong together; the compiler cannot see that through the table.
        const command = { kind, message, bytes, writerGuid: writer.guid } as ReceivedCommand;
        events.command(command, receivedAtNs);
      },
      events,
    );
  }
}
