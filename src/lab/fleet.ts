import type { HlcError } from '../errors/index.js';
import { cpmLabVehicle, nsPerS, toS } from '../core/index.js';
import type { Transport } from '../ports/index.js';
import type { Pose2D } from '../messages/index.js';
import {
  VehicleEnd,
  vehicleObservationOf,
  vehicleStateOf,
  type VehicleCommand,
} from '../sides/index.js';
import { Disturbances, undisturbed, type DisturbanceSettings } from './disturbance/index.js';
import type { LabClock } from './lab-clock.js';
import { SimulatedVehicle, type Drive } from './simulated-vehicle.js';
import { posesOnTrack, tracks } from './track/index.js';

/** Vehicles move and publish their state every 20 ms, at multiples of it since 1970 (CPM Lab vehicle). */
const stepNs = 20_000_000n;
const stepS = toS(stepNs);
/** After a stall longer than this the fleet goes on from now: what was missed is not driven. */
const maxCatchUpNs = nsPerS;

/** The events of a fleet. */
export type FleetEvent =
  /** A vehicle brakes: its last command is 1 s past its valid_after_stamp, and no other came. */
  | { readonly kind: 'command-timeout'; readonly vehicleId: number }
  /** A vehicle drives by a command again. */
  | { readonly kind: 'command-resumed'; readonly vehicleId: number }
  /** The fleet stalled for over 1 s, and left out that many steps. */
  | { readonly kind: 'steps-skipped'; readonly count: number }
  /** An error of the vehicles' end of the lab side, see `VehicleEndOptions.onError`. */
  | { readonly kind: 'fault'; readonly error: HlcError };

/** What {@link startFleet} needs. */
export interface FleetOptions {
  /** The lab side. It stays open when the fleet closes. */
  readonly transport: Transport;
  /** Ids of the vehicles, 0 to 255, each once. */
  readonly vehicleIds: readonly number[];
  readonly clock: LabClock;
  /** Of the clock; default: real. */
  readonly time?: 'real' | 'simulated';
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
  /** Those that arrived and can be obeyed. */
  readonly commandsReceived: number;
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
}

class RunningFleet implements Fleet {
  readonly #options: FleetOptions;
  readonly #members: ReadonlyMap<number, Member>;
  readonly #end: VehicleEnd;
  readonly #disturbances: Disturbances;
  /** Cancels what is on its way. */
  readonly #underway = new Set<() => void>();
  #nextStepNs: bigint;
  #cancel: () => void;
  #closed = false;

  constructor(options: FleetOptions) {
    this.#options = options;
    const { transport, clock, time = 'real', vehicleIds, ownGuid } = options;
    const poses = options.initialPoses ?? posesOnTrack(tracks.oval, vehicleIds.length);
    this.#disturbances = new Disturbances(options.disturbances ?? undisturbed);
    this.#members = new Map(
      vehicleIds.map((id, index) => {
        const pose = poses[index];
        if (!pose) throw new RangeError(`Vehicle ${id} has no initial pose.`);
        return [id, { vehicle: new SimulatedVehicle(id, pose), received: 0 }];
      }),
    );
    this.#end = new VehicleEnd({
      transport,
      ids: vehicleIds,
      profile: cpmLabVehicle,
      time,
      nowNs: () => clock.nowNs(),
      ownGuid,
      deliver: (command, arrive) => this.#deliver(command, arrive),
      onCommand: ({ message }) => this.#count(message.vehicle_id),
      onError: (error) => options.onEvent({ kind: 'fault', error }),
    });
    this.#nextStepNs = (clock.nowNs() / stepNs + 1n) * stepNs;
    this.#cancel = clock.at(this.#nextStepNs, this.#onTime);
  }

  report(): readonly VehicleReport[] {
    return Array.from(this.#members.values(), ({ vehicle, received }) => {
      const { x, y, yaw, speed } = vehicle.motion;
      return {
        vehicleId: vehicle.id,
        distanceM: vehicle.drivenM,
        speed,
        pose: { x, y, yaw },
        drive: vehicle.drive,
        commandsReceived: received,
      };
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancel();
    for (const cancel of this.#underway) cancel();
    this.#end.close();
  }

  #deliver({ kind, message }: VehicleCommand, arrive: () => void): void {
    if (this.#disturbances.loses(kind, message.vehicle_id)) return;
    this.#delayed(this.#options.clock.nowNs(), arrive);
  }

  #count(vehicleId: number): void {
    const member = this.#members.get(vehicleId);
    if (member !== undefined) member.received++;
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
    vehicle.step(nowNs, stepS, this.#end.commandFor(vehicle.id, nowNs));
    const measured = vehicle.measured();
    const state = this.#disturbances.measured('state', vehicleStateOf(measured, nowNs));
    this.#send('state', vehicle.id, nowNs, () => this.#end.writeState(state));
    const observation = vehicleObservationOf(measured, nowNs);
    if (observation !== null) {
      const seen = this.#disturbances.measured('observation', observation);
      this.#send('observation', vehicle.id, nowNs, () => this.#end.writeObservation(seen));
    }
    if (vehicle.drive === 'command-timeout' && before === 'commanded') {
      this.#options.onEvent({ kind: 'command-timeout', vehicleId: vehicle.id });
    } else if (vehicle.drive === 'commanded' && before === 'command-timeout') {
      this.#options.onEvent({ kind: 'command-resumed', vehicleId: vehicle.id });
    }
  }

  #send(
    channel: 'state' | 'observation',
    vehicleId: number,
    nowNs: bigint,
    write: () => void,
  ): void {
    if (!this.#disturbances.loses(channel, vehicleId)) this.#delayed(nowNs, write);
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
}
