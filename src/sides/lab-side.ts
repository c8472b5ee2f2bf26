import type { Command, GuardStop } from '../core/index.js';
import type { ReceivedSample, TransportReader, TransportWriter } from '../ports/index.js';
import {
  nestedSamples,
  topics,
  type MiddlewareStatus,
  type NestedSample,
  type ReadyStatus,
  type VehicleObservation,
  type VehicleState,
} from '../messages/index.js';
import {
  encodeCommand,
  writeCommands,
  type CommandWriters,
  type ReceivedCommand,
} from './command-topics.js';
import { reportedVehicleOf } from './middleware-status.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';
import { writeTopic, type TopicWriter } from './topic-writer.js';

/**
 * What comes from the vehicles and their positioning system, decoded, and as it goes into a start
 * signal. The bytes of a sample are valid during the call.
 */
export interface LabSideEvents {
  vehicleState(message: VehicleState, kept: NestedSample, sample: ReceivedSample): void;
  vehicleObservation(message: VehicleObservation, kept: NestedSample, sample: ReceivedSample): void;
  /** A guard reports the stops that no middleware has taken over. @param guardEpoch differs between guards. */
  guardStops(guardEpoch: bigint, stops: readonly GuardStop[]): void;
}

/** The endpoints of the lab side: vehicles, their positioning system, lab control. */
export class LabSide {
  readonly #commands: CommandWriters;
  readonly #ready: TopicWriter<ReadyStatus>;
  readonly #status: TopicWriter<MiddlewareStatus>;
  readonly #guards: readonly TransportReader[];

  constructor(side: Side, events: LabSideEvents, errors: TopicErrors) {
    const keepState = nestedSamples(topics.vehicleState.codec);
    readTopic(
      side,
      topics.vehicleState,
      (message, sample) => events.vehicleState(message, keepState(message, sample.bytes), sample),
      errors,
    );
    const keepObservation = nestedSamples(topics.vehicleObservation.codec);
    readTopic(
      side,
      topics.vehicleObservation,
      (message, sample) =>
        events.vehicleObservation(message, keepObservation(message, sample.bytes), sample),
      errors,
    );
    this.#commands = writeCommands(side, errors);
    this.#ready = writeTopic(side, topics.readyStatus, errors);
    this.#status = writeTopic(side, topics.middlewareStatus, errors);
    this.#guards = readTopic(
      side,
      topics.guardStatus,
      ({ epoch, stops }) =>
        events.guardStops(
          epoch,
          stops.map(({ vehicle, number, speed }) => {
            const speedMps = Number.isFinite(speed) ? Math.max(0, speed) : 0;
            return { ...reportedVehicleOf(vehicle), number, speedMps };
          }),
        ),
      errors,
    );
  }

  /** True while a guard is discovered on the lab side. */
  get hasGuard(): boolean {
    return this.#guards.some(({ matchedWriters }) => matchedWriters > 0);
  }

  /** Of the status of this middleware. */
  get statusWriter(): TransportWriter {
    return this.#status.endpoint;
  }

  /** Of the commands of a kind. */
  writerOf(kind: Command['kind']): TransportWriter {
    return this.#commands[kind].endpoint;
  }

  /**
   * A command of a controller; those that came together leave together.
   * @throws HlcError `HLC_DDS_WRITE` when it could not be written in time.
   */
  forward(command: ReceivedCommand): void {
    this.#commands[command.kind].endpoint.write(command.bytes, 'with-others');
  }

  /**
   * Writes a command of the middleware's own.
   * @throws HlcError `HLC_DDS_WRITE` when it could not be written in time.
   */
  command(command: Command): void {
    this.#commands[command.kind].endpoint.write(encodeCommand(command));
  }

  /** Signs in to the lab control with the requested time, ns; 0 in real time. */
  signIn(nodeId: string, nextStartNs: bigint): void {
    this.#ready.write({ source_id: nodeId, next_start_stamp: { nanoseconds: nextStartNs } });
  }
}
