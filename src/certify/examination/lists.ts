import type { ListKind } from '../judging/index.js';
import {
  type Command,
  cpmLabVehicle,
  firstNotFinite,
  maxVehicleId,
  nsPerMs,
  toS,
} from '../../core/index.js';
import { posesOnTrack, SimulatedVehicle, tracks } from '../../lab/index.js';
import {
  VehicleObservationCodec,
  VehicleStateCodec,
  type VehicleStateList,
} from '../../messages/index.js';
import {
  CommandInbox,
  stateDelayNs,
  vehicleObservationOf,
  vehicleStateOf,
} from '../../sides/index.js';

const stepNs = 20_000_000n;
/** After a longer pause the vehicles are where they were. */
const longestDriveNs = 2_000_000_000n;
const manyVehicles = 60;

/** The vehicles that a certification shows to a controller: they drive by the commands of the controller. */
export class ShownVehicles {
  readonly #own: ReadonlyMap<number, SimulatedVehicle>;
  readonly #inboxes: ReadonlyMap<number, CommandInbox>;
  /** Vehicles of other controllers, standing beside the track. */
  readonly #strangers: readonly SimulatedVehicle[];
  #nowNs: bigint | undefined;

  /** @param random From 0 to 1: where on the track the vehicles begin. */
  constructor(vehicleIds: readonly number[], random: () => number) {
    const track = tracks.oval;
    const start = random() * track.length;
    const places = posesOnTrack(track, vehicleIds.length).map((pose) => track.placeOf(pose));
    this.#own = new Map(
      vehicleIds.map((id, index) => [
        id,
        new SimulatedVehicle(id, track.poseAt(start + (places[index] ?? 0))),
      ]),
    );
    this.#inboxes = new Map(vehicleIds.map((id) => [id, new CommandInbox(cpmLabVehicle)]));
    const others = Array.from({ length: maxVehicleId + 1 }, (_, id) => id).filter(
      (id) => !this.#own.has(id),
    );
    this.#strangers = others
      .slice(-manyVehicles)
      .reverse()
      .map((id) => new SimulatedVehicle(id, { x: 4.5 * random(), y: 3.9, yaw: 6 * random() - 3 }));
  }

  /** Takes a command of the controller. */
  receive(command: Command): void {
    if (firstNotFinite(command) !== null) return;
    this.#inboxes.get(command.message.vehicle_id)?.add(command, this.#nowNs ?? 0n);
  }

  /** The list of a start signal; the vehicles have driven up to it. */
  list(kind: ListKind, tNowNs: bigint, periodNs: bigint): VehicleStateList {
    this.#driveTo(tNowNs - stateDelayNs);
    const own = [...this.#own.values()];
    const [stranger] = this.#strangers.slice(0, 1);
    const usual = stranger === undefined ? own : [...own, stranger];
    const shown: Readonly<Record<ListKind, readonly SimulatedVehicle[]>> = {
      usual,
      empty: [],
      ownAbsent: this.#strangers.slice(0, 2),
      zeros: usual,
      strangers: [...usual, ...this.#strangers.slice(1, 4)],
      many: [...own, ...this.#strangers],
    };
    const vehicles = [...shown[kind]].sort((a, b) => a.id - b.id);
    const madeNs = tNowNs - stateDelayNs;
    const states = vehicles.map((vehicle) => vehicleStateOf(vehicle.measured(), madeNs));
    const observations = vehicles.flatMap(
      (vehicle) => vehicleObservationOf(vehicle.measured(), madeNs) ?? [],
    );
    const zeros = kind === 'zeros';
    return {
      t_now: tNowNs,
      period_ms: periodNs / nsPerMs,
      state_list: zeros ? [VehicleStateCodec.zero(), ...states] : states,
      vehicle_observation_list: zeros
        ? [VehicleObservationCodec.zero(), ...observations]
        : observations,
      active_vehicle_ids: kind === 'strangers' ? [...this.#own.keys()] : usual.map(({ id }) => id),
    };
  }

  #driveTo(timeNs: bigint): void {
    const from = this.#nowNs;
    this.#nowNs = timeNs;
    if (from === undefined || timeNs - from > longestDriveNs) return;
    for (let nowNs = from + stepNs; nowNs <= timeNs; nowNs += stepNs) {
      for (const [id, vehicle] of this.#own) {
        const command = this.#inboxes.get(id)?.commandAt(nowNs) ?? null;
        vehicle.step(nowNs, toS(stepNs), command);
      }
      this.#nowNs = nowNs;
    }
    // What is left of a step is driven next time.
    if (timeNs - from < stepNs) this.#nowNs = from;
  }
}
