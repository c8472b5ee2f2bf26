import { HlcError } from '../../errors/index.js';
import { firstNotFinite, RecentKeys, type Command, type VehicleProfile } from '../../core/index.js';
import { participantOf, type Transport } from '../../ports/index.js';
import { topics, type VehicleObservation, type VehicleState } from '../../messages/index.js';
import { readCommands } from '../command-topics.js';
import { groupEndpoints, type EndpointGroup } from '../endpoint-group.js';
import { vehicleQos } from '../peer-qos.js';
import type { Side } from '../side.js';
import { reportedTopicErrors, type TopicErrors } from '../topic-errors.js';
import { readTopic } from '../topic-reader.js';
import { writeTopic, type TopicWriter } from '../topic-writer.js';
import { CommandInbox } from './command-inbox.js';

/** Writers of other programs that are remembered, for each of them and vehicle. */
const mostReported = 1000;

/** What a {@link VehicleEnd} needs, and reports. */
export interface VehicleEndOptions {
  /** The lab side. It stays open when the end closes. */
  readonly transport: Transport;
  /** Vehicle ids, 0 to 255, each once. */
  readonly ids: readonly number[];
  readonly profile: VehicleProfile;
  readonly time: 'real' | 'simulated';
  /** The vehicles' time, ns since 1970 or of the simulated time. */
  readonly nowNs: () => bigint;
  /**
   * GUID of the participant of the transport. With it the end reports other programs that publish
   * states of its vehicles.
   */
  readonly ownGuid?: string | undefined;
  /** What happens to a command on its way to a vehicle; default: it arrives at once. */
  readonly deliver?: ((command: Command, arrive: () => void) => void) | undefined;
  /** A command arrived at its vehicle. */
  onCommand?(command: Command): void;
  /**
   * `HLC_VEHICLES_COMMAND`, `HLC_VEHICLES_TWICE`, `HLC_SAMPLE_MALFORMED`, `HLC_PEER_QOS`,
   * `HLC_DDS_WRITE`, `HLC_CLOSED`.
   */
  onError(error: HlcError): void;
}

/** The vehicles as a participant of the lab side: writes their states and observations, receives their commands. */
export class VehicleEnd {
  /** For further readers and writers of this participant. */
  readonly side: Side;
  readonly errors: TopicErrors;
  readonly #options: VehicleEndOptions;
  readonly #group: EndpointGroup;
  readonly #inboxes: ReadonlyMap<number, CommandInbox>;
  readonly #states: TopicWriter<VehicleState>;
  readonly #observations: TopicWriter<VehicleObservation>;

  /** @throws HlcError `HLC_DDS_ENTITY` when an endpoint cannot be made. */
  constructor(options: VehicleEndOptions) {
    this.#options = options;
    const { transport, ids, profile, time, ownGuid } = options;
    this.#group = groupEndpoints({ transport, qos: vehicleQos(time) });
    this.side = this.#group.side;
    this.errors = reportedTopicErrors((error) => options.onError(error));
    this.#inboxes = new Map(ids.map((id) => [id, new CommandInbox(profile)]));
    this.#states = writeTopic(this.side, topics.vehicleState, this.errors);
    this.#observations = writeTopic(this.side, topics.vehicleObservation, this.errors);
    // Each reader costs a send and a wake-up per command of any vehicle.
    if (profile.kinds.length > 0) {
      readCommands(this.side, (command) => this.#receive(command), this.errors);
    }
    if (ownGuid !== undefined) this.#watchOthers(participantOf(ownGuid));
  }

  /**
   * Writes a state; those of several vehicles that are made together leave together.
   * @throws RangeError when a field does not fit its IDL type.
   */
  writeState(state: VehicleState): void {
    this.#states.write(state, 'with-all');
  }

  /**
   * Writes an observation.
   * @throws RangeError when a field does not fit its IDL type.
   */
  writeObservation(observation: VehicleObservation): void {
    this.#observations.write(observation, 'with-all');
  }

  /**
   * The command that a vehicle obeys; null when it stops, and for a vehicle of others.
   * @param nowNs The vehicle's time; default: now.
   */
  commandFor(vehicleId: number, nowNs: bigint = this.#options.nowNs()): Command | null {
    return this.#inboxes.get(vehicleId)?.commandAt(nowNs) ?? null;
  }

  /** Closing twice is allowed. */
  close(): void {
    this.#group.close();
  }

  #receive(command: Command): void {
    const inbox = this.#inboxes.get(command.message.vehicle_id);
    if (inbox === undefined) return;
    const arrive = () => this.#arrive(command, inbox);
    if (this.#options.deliver === undefined) arrive();
    else this.#options.deliver(command, arrive);
  }

  #arrive(command: Command, inbox: CommandInbox): void {
    const field = firstNotFinite(command);
    if (field !== null) {
      const vehicleId = command.message.vehicle_id;
      this.#options.onError(new HlcError('HLC_VEHICLES_COMMAND', { vehicleId, field }));
      return;
    }
    inbox.add(command, this.#options.nowNs());
    this.#options.onCommand?.(command);
  }

  /** Two programs that drive the same vehicle would make it jump between two places. */
  #watchOthers(ownParticipant: string): void {
    const reported = new RecentKeys(mostReported);
    readTopic(
      this.side,
      topics.vehicleState,
      ({ vehicle_id: vehicleId }, { writer: { guid: writerGuid } }) => {
        const key = `${vehicleId} ${writerGuid}`;
        if (participantOf(writerGuid) === ownParticipant || !this.#inboxes.has(vehicleId)) return;
        if (!reported.add(key)) return;
        this.#options.onError(new HlcError('HLC_VEHICLES_TWICE', { vehicleId, writerGuid }));
      },
      this.errors,
    );
  }
}
