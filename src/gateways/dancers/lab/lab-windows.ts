import type { Command } from '../../../core/index.js';
import type { NeighborList } from '../../../messages/index.js';
import type { VehicleMeasurement } from '../../../sides/index.js';
import { Refusal } from '../../refusal.js';
import { noPayloads, type Coordinator, type Payloads } from '../coordinator.js';
import {
  decodeNeighbors,
  decodePoses,
  encodeVelocities,
  type AgentNeighbors,
  type AgentPose,
} from '../protocol/payloads.js';
import type { SideName } from '../side.js';
import { AgentCheck } from './agent-check.js';
import type { AgentIds } from './agent-ids.js';
import { neighborListsOf } from './neighbor-lists.js';
import { wantedVelocity, type DrivenAgent } from './wanted-velocity.js';

/** What {@link LabWindows} needs. */
export interface LabWindowsOptions {
  readonly ids: AgentIds;
  /** Length of a window, s. */
  readonly windowS: number;
  /** The physics side receives wanted velocities, or what the network side reports. */
  readonly commands: 'none' | 'velocity';
  /** The command that a vehicle obeys. */
  readonly commandFor: (vehicleId: number) => Command | null;
  readonly publish: (measurement: VehicleMeasurement) => void;
  readonly report: (lists: readonly NeighborList[]) => void;
  /** Takes warnings about ids. */
  readonly log: (text: string) => void;
}

interface Agent extends DrivenAgent {
  /** Metres since the first pose. */
  readonly odometer: number;
}

/** Windows of a DANCERS run as steps of a lab: agents are vehicles, and commands are velocities. */
export class LabWindows {
  #payloads: Payloads = noPayloads;
  /** The network side in the next window, once it has begun. */
  #network: Promise<Uint8Array> | undefined;
  readonly #agents = new Map<number, Agent>();
  readonly #check: AgentCheck;
  /** What the last payload of the network side says: a network without changes repeats it. */
  #neighbors: { readonly payload: Uint8Array; readonly agents: readonly AgentNeighbors[] } = {
    payload: noPayloads.network,
    agents: [],
  };

  /** @param refuse Reports a side whose payload breaks a rule. @returns what is thrown. */
  constructor(
    private readonly coordinator: Pick<Coordinator, 'steps'>,
    private readonly options: LabWindowsOptions,
    private readonly refuse: (side: SideName, cause: string) => Error,
  ) {
    this.#check = new AgentCheck(options.ids, options.log);
  }

  /**
   * Begins the next window of the network side, which depends on no command: it steps while the
   * controllers compute. Without effect when it has begun.
   */
  prepare(): void {
    // The window itself reports a failure.
    this.#networkWindow().catch(() => undefined);
  }

  /**
   * Runs the window that ends at a time, and publishes the states and neighbours at its end.
   * @param endNs ns of the simulated clock.
   * @throws HlcError `HLC_DANCERS_SIDE`.
   */
  async window(endNs: bigint): Promise<void> {
    const { commands, ids, report } = this.options;
    const [physics, network] = await Promise.all([
      this.coordinator.steps(
        'physics',
        commands === 'velocity' ? this.#velocities(endNs) : this.#payloads.network,
      ),
      this.#networkWindow(),
    ]);
    this.#payloads = { physics, network };
    this.#network = undefined;
    const poses = this.#read('physics', () => decodePoses(physics));
    if (network !== this.#neighbors.payload) {
      const agents = this.#read('network', () => decodeNeighbors(network));
      this.#neighbors = { payload: network, agents };
    }
    this.#check.window(poses);
    for (const pose of poses) this.#publish(pose, endNs);
    report(neighborListsOf(this.#neighbors.agents, ids, endNs));
  }

  #networkWindow(): Promise<Uint8Array> {
    this.#network ??= this.coordinator.steps('network', this.#payloads.physics);
    return this.#network;
  }

  #velocities(endNs: bigint): Uint8Array {
    const { windowS, commandFor, ids } = this.options;
    const velocities = ids.vehicleIds.flatMap((vehicleId) => {
      const agent = this.#agents.get(vehicleId);
      if (agent === undefined) return [];
      const command = commandFor(vehicleId);
      const { velocity, steeringAngle } = wantedVelocity(command, agent, endNs, windowS);
      this.#agents.set(vehicleId, { ...agent, steeringAngle });
      return [velocity];
    });
    return encodeVelocities(velocities);
  }

  #publish(pose: AgentPose, endNs: bigint): void {
    const vehicleId = this.options.ids.vehicleOf(pose.agentId);
    if (vehicleId === undefined) return;
    const before = this.#agents.get(vehicleId);
    const moved =
      before === undefined ? 0 : Math.hypot(pose.x - before.pose.x, pose.y - before.pose.y);
    const odometer = (before?.odometer ?? 0) + moved;
    if (!Number.isFinite(odometer)) {
      throw this.refuse('physics', `the odometer of agent ${pose.agentId} is not finite`);
    }
    this.#agents.set(vehicleId, { pose, odometer, steeringAngle: before?.steeringAngle ?? 0 });
    this.options.publish({
      vehicleId,
      pose,
      speed: pose.speed,
      odometer_distance: odometer,
      createNs: endNs,
      // A simulator knows its state at once, and no positioning system sees its agents.
      validAfterNs: endNs,
      observation: null,
    });
  }

  #read<T>(side: SideName, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw this.refuse(side, `its payload is refused: ${error.message}`);
    }
  }
}
