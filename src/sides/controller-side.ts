import { STOP_SYMBOL, type Command } from '../core/index.js';
import type { TransportWriter, WriterChange } from '../core/ports/index.js';
import { topics } from '../messages/index.js';
import { commandTopics, type ReceivedCommand } from './command-topics.js';
import { ReadyGate } from './ready-gate.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';
import { writeTopic } from './topic-writer.js';

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
  /** Of system triggers. */
  readonly triggers: TransportWriter;
  readonly #gate: ReadyGate;

  constructor(
    private readonly side: Side,
    events: ControllerSideEvents,
    private readonly errors: TopicErrors,
  ) {
    // Readers of commands come before that of ready signals: whoever sees us listen for the
    // latter can count on the former.
    for (const kind of ['direct', 'speedCurvature', 'trajectory', 'pathTracking'] as const) {
      this.#readCommands(kind, events);
    }
    this.triggers = writeTopic(side, topics.systemTrigger, errors);
    this.startSignals = writeTopic(side, topics.vehicleStateList, errors, {
      onMatched: () => this.#gate.readersChanged(),
    });
    this.#gate = new ReadyGate(
      {
        listeners: () => this.startSignals.matchedParticipants(),
        senders: () => readySignals?.matchedParticipants() ?? new Set(),
      },
      events,
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

  /** Repeats a trigger of the lab control. */
  passTrigger(bytes: Uint8Array): void {
    this.errors.attempt(() => this.triggers.write(bytes));
  }

  /** Tells the controllers that the run is over. */
  sendStop(): void {
    const trigger = { next_start: { nanoseconds: STOP_SYMBOL } };
    this.passTrigger(topics.systemTrigger.codec.encode(trigger));
  }

  close(): void {
    this.#gate.close();
  }

  #readCommands(kind: Command['kind'], events: ControllerSideEvents): void {
    readTopic<Command['message']>(
      this.side,
      commandTopics[kind],
      (message, { bytes, writer, receivedAtNs }) => {
        // Kind and message belong together; the compiler cannot see that through the table.
        const command = { kind, message, bytes, writerGuid: writer.guid } as ReceivedCommand;
        events.command(command, receivedAtNs);
      },
      this.errors,
      (change) => events.writerChanged('command', change),
    );
  }
}
