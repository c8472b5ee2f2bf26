import { participantOf, type Transport, type TransportWriter } from '../core/ports/index.js';
import {
  topics,
  type Pose2D,
  type Topic,
  type VehicleObservation,
  type VehicleState,
} from '../messages/index.js';
import { readCommands } from './command-source.js';
import { Disturbances, undisturbed, type DisturbanceSettings } from './disturbance/index.js';
import type { LabClock } from './lab-clock.js';
import { foreignStateReaderQos, vehicleStateWriterQos } from './lab-qos.js';
import { SimulatedVehicle, type Drive } from './simulated-vehicle.js';
import { posesOnTrack, tracks } from './track/index.js';
import type { VehicleCommand, VehicleCommandKind } from './vehicle-command.js';

/** Vehicles move and tell their state every 20 ms, at multiples of it since 1970 (CPM Lab vehicle). */
const stepNs = 20_000_000n;
const stepS = Number(stepNs) / 1e9;
/** After a stall longer than this the fleet goes on from now: what was missed is not driven. */
const maxCatchUpNs = 1_000_000_000n;

/** What a fleet tells its owner. */
export type FleetEvent =
  /** A vehicle brakes: its last command is 1 s past its valid_after_stamp, and no other came. */
  | { readonly kind: 'command-timeout'; readonly vehicleId: number }
  /** A vehicle drives by a command again. */
  | { readonly kind: 'command-resumed'; readonly vehicleId: number }
  /** A command with a number that is not finite was thrown away. */
  | {
      readonly kind: 'command-refused';
      readonly vehicleId: number;
      readonly command: VehicleCommandKind;
    }
  /** Another program sends states of a vehicle of this fleet; told once for each writer. */
  | { readonly kind: 'driven-twice'; readonly vehicleId: number; readonly writerGuid: string }
  /** The fleet stalled for over 1 s, and left out that many steps. */
  | { readonly kind: 'steps-skipped'; readonly count: number }
  /** A sample could not be written or read. */
  | { readonly kind: 'fault'; readonly error: unknown };

/** What {@link startFleet} needs. */
export interface FleetOptions {
  /** The lab side. It stays open when the fleet closes. */
  readonly transport: Transport;
  /** Ids of the vehicles, 0 to 255, each once. */
  readonly vehicleIds: readonly number[];
  readonly clock: LabClock;
  /** Where the vehicles stand at first, in the order of the ids; default: spaced on the oval. */
  readonly initialPoses?: readonly Pose2D[];
  /** What goes wrong on the way to and from the vehicles; default: nothing. */
  readonly disturbances?: DisturbanceSettings;
  /**
   * GUID of the participant of the transport. With it the fleet notices when another program
   * drives one of its vehicles.
   */
  readonly ownGuid?: string;
  onEvent(event: FleetEvent): void;
}

/** What a simulated vehicle did since the fleet was started. */
export interface VehicleReport {
  readonly vehicleId: number;
  /** Metres driven, backwards counted as forwards. */
  readonly distanceM: number;
  /** m/s. */
  readonly speed: number;
  readonly pose: Pose2D;
  readonly drive: Drive;
  readonly commandsReceived: number;
  readonly commandsRefused: number;
}

/** Simulated vehicles on the lab side. */
export interface Fleet {
  /** One report per vehicle, in the order of the ids given. */
  report(): readonly VehicleReport[];
  /** Ends the vehicles and their endpoints; closing twice is allowed. */
  close(): void;
}

/**
 * Starts vehicles that write vehicleState and vehicleObservation at 50 Hz and obey the four kinds
 * of commands that are addressed to them.
 * @throws HlcError `HLC_DDS_ENTITY` when an endpoint cannot be made.
 * @throws RangeError when there is not one initial pose per vehicle.
 */
export function startFleet(options: FleetOptions): Fleet {
  return new RunningFleet(options);
}

interface Member {
  readonly vehicle: SimulatedVehicle;
  received: number;
  refused: number;
}

class RunningFleet implements Fleet {
  readonly #options: FleetOptions;
  readonly #members: ReadonlyMap<number, Member>;
  readonly #stateWriter: TransportWriter;
  readonly #observationWriter: TransportWriter;
  readonly #closeReaders: () => void;
  readonly #disturbances: Disturbances;
  /** Cancels what is on its way. */
  readonly #underway = new Set<() => void>();
  #nextStepNs: bigint;
  #cancel: () => void;
  #closed = false;

  constructor(options: FleetOptions) {
    this.#options = options;
    const { transport, clock, vehicleIds } = options;
    const poses = options.initialPoses ?? posesOnTrack(tracks.oval, vehicleIds.length);
    this.#disturbances = new Disturbances(options.disturbances ?? undisturbed);
    this.#members = new Map(
      vehicleIds.map((id, index) => {
        const pose = poses[index];
        if (!pose) throw new RangeError(`Vehicle ${id} has no initial pose.`);
        return [id, { vehicle: new SimulatedVehicle(id, pose), received: 0, refused: 0 }];
      }),
    );
    this.#stateWriter = transport.createWriter(topics.vehicleState, vehicleStateWriterQos);
    this.#observationWriter = transport.createWriter(
      topics.vehicleObservation,
      vehicleStateWriterQos,
    );
    const closeCommands = readCommands(transport, {
      onCommand: (command) => this.#onCommand(command),
      onFault: (error) => options.onEvent({ kind: 'fault', error }),
    });
    const closeStates = this.#watchOthers(options);
    this.#closeReaders = () => {
      closeCommands();
      closeStates();
    };
    this.#nextStepNs = (clock.nowNs() / stepNs + 1n) * stepNs;
    this.#cancel = clock.at(this.#nextStepNs, this.#onTime);
  }

  report(): readonly VehicleReport[] {
    return Array.from(this.#members.values(), ({ vehicle, received, refused }) => {
      const { x, y, yaw, speed } = vehicle.motion;
      return {
        vehicleId: vehicle.id,
        distanceM: vehicle.drivenM,
        speed,
        pose: { x, y, yaw },
        drive: vehicle.drive,
        commandsReceived: received,
        commandsRefused: refused,
      };
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancel();
    for (const cancel of this.#underway) cancel();
    this.#closeReaders();
    this.#stateWriter.close();
    this.#observationWriter.close();
  }

  /** Two programs that drive the same vehicle would make it jump between two places. */
  #watchOthers(options: FleetOptions): () => void {
    const { transport, ownGuid } = options;
    if (ownGuid === undefined) return () => undefined;
    const ownPrefix = participantOf(ownGuid);
    const told = new Set<string>();
    const reader = transport.createReader(topics.vehicleState, foreignStateReaderQos, {
      onSample: ({ bytes, writer: { guid } }) => {
        if (guid.startsWith(ownPrefix)) return;
        const vehicleId = topics.vehicleState.codec.decode(bytes).vehicle_id;
        const key = `${vehicleId} ${guid}`;
        if (!this.#members.has(vehicleId) || told.has(key)) return;
        told.add(key);
        options.onEvent({ kind: 'driven-twice', vehicleId, writerGuid: guid });
      },
    });
    return () => reader.close();
  }

  #onCommand(command: VehicleCommand): void {
    const member = this.#members.get(command.vehicle_id);
    if (!member || this.#disturbances.loses(command.kind, command.vehicle_id)) return;
    this.#delayed(this.#options.clock.nowNs(), () => this.#receive(member, command));
  }

  #receive(member: Member, command: VehicleCommand): void {
    member.received++;
    if (member.vehicle.receive(command)) return;
    member.refused++;
    this.#options.onEvent({
      kind: 'command-refused',
      vehicleId: member.vehicle.id,
      command: command.kind,
    });
  }

  readonly #onTime = (): void => {
    const nowNs = this.#options.clock.nowNs();
    if (nowNs - this.#nextStepNs > maxCatchUpNs) this.#skipTo(nowNs);
    // A clock that was set back by more than a step would leave the vehicles without a state.
    if (this.#nextStepNs - nowNs > stepNs) this.#nextStepNs = (nowNs / stepNs) * stepNs;
    for (; this.#nextStepNs <= nowNs && !this.#closed; this.#nextStepNs += stepNs) {
      for (const { vehicle } of this.#members.values()) this.#step(vehicle, this.#nextStepNs);
    }
    if (!this.#closed) this.#cancel = this.#options.clock.at(this.#nextStepNs, this.#onTime);
  };

  #skipTo(nowNs: bigint): void {
    const count = (nowNs - this.#nextStepNs) / stepNs;
    this.#nextStepNs += count * stepNs;
    this.#options.onEvent({ kind: 'steps-skipped', count: Number(count) });
  }

  #step(vehicle: SimulatedVehicle, nowNs: bigint): void {
    const before = vehicle.drive;
    vehicle.step(nowNs, stepS);
    this.#send('state', this.#stateWriter, topics.vehicleState, vehicle.state(nowNs), nowNs);
    const seen = vehicle.observation(nowNs);
    this.#send('observation', this.#observationWriter, topics.vehicleObservation, seen, nowNs);
    if (vehicle.drive === 'command-timeout' && before === 'commanded') {
      this.#options.onEvent({ kind: 'command-timeout', vehicleId: vehicle.id });
    } else if (vehicle.drive === 'commanded' && before === 'command-timeout') {
      this.#options.onEvent({ kind: 'command-resumed', vehicleId: vehicle.id });
    }
  }

  #send<T extends VehicleState | VehicleObservation>(
    channel: 'state' | 'observation',
    writer: TransportWriter,
    topic: Topic<T>,
    sample: T,
    nowNs: bigint,
  ): void {
    const measured = this.#disturbances.measured(channel, sample);
    if (this.#disturbances.loses(channel, sample.vehicle_id)) return;
    this.#delayed(nowNs, () => this.#write(writer, topic, measured));
  }

  /** Does it when the delay is over, from `nowNs` on. */
  #delayed(nowNs: bigint, action: () => void): void {
    const { delayNs } = this.#disturbances;
    if (delayNs === 0n) {
      action();
      return;
    }
    const cancel = this.#options.clock.at(nowNs + delayNs, () => {
      this.#underway.delete(cancel);
      action();
    });
    this.#underway.add(cancel);
  }

  #write<T>(writer: TransportWriter, topic: Topic<T>, message: T): void {
    try {
      writer.write(topic.codec.encode(message));
    } catch (error) {
      this.#options.onEvent({ kind: 'fault', error });
    }
  }
}
