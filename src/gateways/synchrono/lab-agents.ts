import { clamp } from '../../core/index.js';
import type { Transport } from '../../ports/index.js';
import { topics, type VehicleState } from '../../messages/index.js';
import { otherStateReaderQos, readTopic, type TopicErrors } from '../../sides/index.js';
import type { OwnAgent } from './protocol/encode-buffer.js';

/** What {@link LabAgents} needs. */
export interface LabAgentsOptions {
  /** The lab side. */
  readonly transport: Transport;
  /** Vehicle ids; agent 1 is the first of them, and so on. */
  readonly vehicleIds: readonly number[];
  /** Angle of the front wheels at full steering input, radians. */
  readonly maxSteering: number;
  readonly errors: TopicErrors;
  /** Each of the vehicles has sent a state; called once. */
  readonly onComplete: () => void;
}

/** The vehicles of the lab as agents, from their newest states. */
export class LabAgents {
  readonly #options: LabAgentsOptions;
  readonly #states = new Map<number, VehicleState>();

  /** @throws HlcError `HLC_DDS_ENTITY`. */
  constructor(options: LabAgentsOptions) {
    this.#options = options;
    const side = { transport: options.transport, qos: otherStateReaderQos };
    readTopic(side, topics.vehicleState, (state) => this.#onState(state), options.errors);
  }

  /** Vehicles that have sent no state. */
  get missing(): readonly number[] {
    return this.#options.vehicleIds.filter((id) => !this.#states.has(id));
  }

  /** Numbers of all agents. */
  get numbers(): readonly number[] {
    return this.#options.vehicleIds.map((_, index) => index + 1);
  }

  /** Those with a state. */
  get agents(): OwnAgent[] {
    const { vehicleIds, maxSteering } = this.#options;
    return vehicleIds.flatMap((id, index) => {
      const state = this.#states.get(id);
      if (state === undefined) return [];
      const { pose, speed, steering_servo: servo } = state;
      const steering = clamp(servo, -1, 1) * maxSteering;
      return [{ agent: index + 1, pose, speed, steering }];
    });
  }

  #onState(state: VehicleState): void {
    const { vehicle_id: id, pose, speed, steering_servo: servo } = state;
    const isFinite = [pose.x, pose.y, pose.yaw, speed, servo].every(Number.isFinite);
    if (!isFinite || !this.#options.vehicleIds.includes(id)) return;
    const isNew = !this.#states.has(id);
    this.#states.set(id, state);
    if (isNew && this.missing.length === 0) this.#options.onComplete();
  }
}
