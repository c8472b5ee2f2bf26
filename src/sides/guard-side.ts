import type { Command, GuardStop, MiddlewareReport, StampedMotion } from '../core/index.js';
import { participantOf, unknownWriter, type TransportWriter } from '../ports/index.js';
import { topics, type GuardStatus } from '../messages/index.js';
import { readCommands, writeCommands, type CommandWriters } from './command-topics.js';
import { commandedVehicleOf, middlewareReportOf } from './middleware-status.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';
import { writeTopic, type TopicWriter } from './topic-writer.js';

/**
 * What a guard receives on the lab side. A participant is that of the writer, 24 hex digits; null
 * where the transport does not name writers.
 */
export interface GuardSideEvents {
  status(report: MiddlewareReport, participant: string | null): void;
  /** A command of another participant. */
  command(command: Command, participant: string | null): void;
  /** Another guard published its stops. */
  otherGuard(sourceId: string, participant: string): void;
  /** @param receivedAtNs monotonic, ns. */
  vehicleState(vehicleId: number, motion: StampedMotion, receivedAtNs: bigint): void;
}

/** The endpoints of a guard: it reads what middlewares send to vehicles, and can stop these. */
export class GuardSide {
  readonly #commands: CommandWriters;
  readonly #status: TopicWriter<GuardStatus>;

  /** @param ownGuid of the participant of this side: its own commands come back to it. */
  constructor(side: Side, ownGuid: string, events: GuardSideEvents, errors: TopicErrors) {
    const own = participantOf(ownGuid);
    this.#commands = writeCommands(side, errors);
    this.#status = writeTopic(side, topics.guardStatus, errors);
    readTopic(
      side,
      topics.vehicleState,
      ({ vehicle_id: id, header, speed: speedMps, pose }, { receivedAtNs }) => {
        const createStampNs = header.create_stamp.nanoseconds;
        events.vehicleState(id, { speedMps, pose, createStampNs }, receivedAtNs);
      },
      errors,
    );
    readCommands(
      side,
      (command, { writer }) => {
        const participant = participantOrNull(writer.guid);
        if (participant !== own) events.command(command, participant);
      },
      errors,
    );
    readTopic(
      side,
      topics.guardStatus,
      ({ source_id: sourceId }, { writer }) => {
        const participant = participantOrNull(writer.guid);
        if (participant !== null && participant !== own) events.otherGuard(sourceId, participant);
      },
      errors,
    );
    readTopic(
      side,
      topics.middlewareStatus,
      (message, { writer }) =>
        events.status(middlewareReportOf(message), participantOrNull(writer.guid)),
      errors,
    );
  }

  /** Of the commands of a kind. */
  writerOf(kind: Command['kind']): TransportWriter {
    return this.#commands[kind].endpoint;
  }

  /** Writes a command to its vehicle. */
  command(command: Command): void {
    // Kind and message belong together; the compiler cannot see that through the table.
    this.#commands[command.kind].write(command.message);
  }

  /** Publishes the stops that no middleware has taken over. */
  publish(sourceId: string, epoch: bigint, stops: readonly GuardStop[]): void {
    this.#status.write({
      source_id: sourceId,
      epoch,
      stops: stops.map((stop) => {
        const { number, speedMps: speed } = stop;
        return { vehicle: commandedVehicleOf(stop), number, speed };
      }),
    });
  }
}

function participantOrNull(guid: string): string | null {
  return guid === unknownWriter.guid ? null : participantOf(guid);
}
