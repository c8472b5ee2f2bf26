import { nsPerUs } from '../../../core/index.js';
import { driveAlong, posesOnTrack, SimulatedVehicle, type Track } from '../../../lab/index.js';
import { vehicleStateOf, type VehicleCommand } from '../../../sides/index.js';
import { Refusal } from '../../refusal.js';
import { usPerS } from '../protocol/config.js';
import { decodeVelocities, encodePoses, type AgentVelocity } from '../protocol/payloads.js';

/** The model moves this often, microseconds. */
const longestStepUs = 20_000;
/** A car that stands cannot turn, m/s. */
const leastTurningSpeed = 0.01;

/** What decides how the agents move. */
export interface BicycleAgentsOptions {
  /** The agents; an agent has the id of its vehicle. */
  readonly vehicleIds: readonly number[];
  /** Where they stand at first. */
  readonly track: Track;
  /** They follow the track by themselves, or obey a VelocityHeadingVector. */
  readonly input: 'track' | 'velocity';
  /** Simulated time between two messages, microseconds. */
  readonly stepUs: number;
  /** Simulated time in which a wanted heading is reached, microseconds. */
  readonly windowUs: number;
}

/** The simulated cars of the lab as the physics side of a DANCERS run. */
export class BicycleAgents {
  readonly #vehicles: readonly SimulatedVehicle[];
  readonly #wanted = new Map<number, AgentVelocity>();
  #timeUs = 0;

  constructor(private readonly options: BicycleAgentsOptions) {
    const poses = posesOnTrack(options.track, options.vehicleIds.length);
    this.#vehicles = options.vehicleIds.map(
      (id, index) => new SimulatedVehicle(id, poses[index] ?? { x: 0, y: 0, yaw: 0 }),
    );
  }

  /**
   * Moves the agents by one step.
   * @param payload What came with BEGIN; without one the agents keep their velocities.
   * @returns the payload with their poses.
   * @throws Refusal for a payload that is no VelocityHeadingVector.
   */
  step(payload: Uint8Array): Uint8Array {
    if (this.options.input === 'velocity') {
      for (const wanted of velocitiesIn(payload)) {
        if (this.options.vehicleIds.includes(wanted.agentId))
          this.#wanted.set(wanted.agentId, wanted);
      }
    }
    const { stepUs } = this.options;
    const parts = Math.ceil(stepUs / longestStepUs);
    for (let part = 0; part < parts; part++) this.#move(stepUs / parts);
    return encodePoses(
      this.#vehicles.map(({ id, motion }) => {
        const { x, y, yaw, speed } = motion;
        return { agentId: id, x, y, yaw, speed };
      }),
    );
  }

  #move(partUs: number): void {
    const commands = this.#commands();
    this.#timeUs += partUs;
    const nowNs = BigInt(Math.round(this.#timeUs)) * nsPerUs;
    for (const [index, vehicle] of this.#vehicles.entries()) {
      vehicle.step(nowNs, partUs / usPerS, commands[index] ?? null);
    }
  }

  #commands(): readonly (VehicleCommand | null)[] {
    if (this.options.input === 'velocity') {
      return this.#vehicles.map((vehicle) => {
        const wanted = this.#wanted.get(vehicle.id);
        return wanted === undefined ? null : this.#towards(wanted, vehicle);
      });
    }
    const tNowNs = BigInt(Math.round(this.#timeUs)) * nsPerUs;
    const states = this.#vehicles.map((vehicle) => vehicleStateOf(vehicle.measured(), tNowNs));
    const step = { tNowNs, vehicles: new Map(states.map((one) => [one.vehicle_id, one])) };
    return this.#vehicles.map(({ id }) => {
      const { speed, curvature } = driveAlong(this.options.track, id, step);
      return speedCurvature(id, speed, curvature);
    });
  }

  /** A car moves along its heading only: of the velocity it takes the part along the wanted one. */
  #towards({ vx, vy, heading }: AgentVelocity, { id, motion }: SimulatedVehicle): VehicleCommand {
    const speed = vx * Math.cos(heading) + vy * Math.sin(heading);
    if (Math.abs(speed) < leastTurningSpeed) return speedCurvature(id, speed, 0);
    const turn = heading - motion.yaw;
    const shortest = Math.atan2(Math.sin(turn), Math.cos(turn));
    return speedCurvature(id, speed, shortest / (speed * (this.options.windowUs / usPerS)));
  }
}

/** @throws Refusal, which names the way out: without a lab the network side has no velocities. */
function velocitiesIn(payload: Uint8Array): readonly AgentVelocity[] {
  try {
    return decodeVelocities(payload);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const cause = `${error.message}; add --physics-input=track here, or --lab --commands=velocity to the gateway`;
    throw new Refusal(cause, { cause: error });
  }
}

function speedCurvature(vehicleId: number, speed: number, curvature: number): VehicleCommand {
  const stamp = { nanoseconds: 0n };
  const header = { create_stamp: stamp, valid_after_stamp: stamp };
  return { kind: 'speedCurvature', message: { vehicle_id: vehicleId, header, speed, curvature } };
}
