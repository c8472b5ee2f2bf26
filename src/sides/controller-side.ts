import { stopSymbol } from '../core/index.js';
import type { TransportWriter, WriterChange } from '../ports/index.js';
import { topics, type SystemTrigger } from '../messages/index.js';
import { readCommands, type ReceivedCommand } from './command-topics.js';
import { ReadyGate } from './ready-gate.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';
import { writeTopic } from './topic-writer.js';
import { PatientWriter } from './patient-writer.js';

/** What comes from the controllers. Instants are monotonic, ns. */
export interface ControllerSideEvents {
  readySignal(sourceId: string, writerGuid: string): void;
  command(command: ReceivedCommand, receivedAtNs: bigint): void;
  /** A writer of ready signals or of commands appeared, or is gone. */
  writerChanged(role: 'ready' | 'command', change: WriterChange): void;
  /** A controller is ready, and yet has no reader for start signals. */
  deaf(sourceId: string): void;
}

/** The endpoints of the controller side. */
export class ControllerSide {
  /** Of the start signals, topic `vehicleStateList`. */
  readonly startSignals: TransportWriter;
  readonly #triggers: PatientWriter<SystemTrigger>;
  readonly #gate: ReadyGate<string>;

  constructor(side: Side, events: ControllerSideEvents, errors: TopicErrors) {
    // Readers of commands come before that of ready signals: a peer that matched the latter can
    // count on the former.
    readCommands(
      side,
      ({ kind, message }, { bytes, writer, receivedAtNs }) => {
        // Kind and message belong together. A spread would take longer, for each command.
        const command = { kind, message, bytes, writerGuid: writer.guid } as ReceivedCommand;
        events.command(command, receivedAtNs);
      },
      errors,
      (change) => {
        if (change.joined) this.#gate.replyWriterMatched(change.writer);
        events.writerChanged('command', change);
      },
    );
    this.#triggers = new PatientWriter(side, topics.systemTrigger, errors);
    this.startSignals = writeTopic(side, topics.vehicleStateList, errors, {
      onMatched: () => this.#gate.readersChanged(),
    }).endpoint;
    this.#gate = new ReadyGate(
      {
        listeners: () => this.startSignals.matchedParticipants(),
        senders: () => readySignals?.matchedParticipants() ?? new Set(),
      },
      {
        ready: (sourceId, writerGuid) => events.readySignal(sourceId, writerGuid),
        deaf: (sourceId) => events.deaf(sourceId),
      },
    );
    const [readySignals] = readTopic(
      side,
      topics.readyStatus,
      (message, { writer }) => this.#gate.readySignal(message.source_id, writer.guid),
      errors,
      (change) => {
        if (!change.joined) this.#gate.writerGone(change.writer.guid);
        events.writerChanged('ready', change);
      },
    );
  }

  /** Of system triggers. */
  get triggers(): TransportWriter {
    return this.#triggers.writer.endpoint;
  }

  /** Repeats a trigger of the lab control. */
  passTrigger(bytes: Uint8Array): void {
    this.#triggers.write(bytes);
  }

  /** Sends the stop trigger to the controllers. */
  sendStop(): void {
    // Triggers that wait for a slow controller are over.
    this.#triggers.drop();
    this.#triggers.write(
      topics.systemTrigger.codec.encodeShared({ next_start: { nanoseconds: stopSymbol } }),
    );
  }

  close(): void {
    this.#gate.close();
  }
}
