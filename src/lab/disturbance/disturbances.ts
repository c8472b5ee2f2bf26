import type { Pose2D } from '../../messages/index.js';
import type { VehicleCommand } from '../../sides/index.js';
import { RandomStream } from './random-stream.js';

/** What goes wrong between simulated vehicles and the middleware. */
export interface DisturbanceSettings {
  /** Whole number from 0 to 2^31 - 1. The same seed gives the same losses and the same noise. */
  readonly seed: number;
  /** Fraction of the states, observations and commands that are lost, 0 to 1. */
  readonly loss: number;
  /** How much later states are sent and commands take effect, ns; not negative. */
  readonly delayNs: bigint;
  /** Standard deviation of the positions in states and observations, metres, along x and along y. */
  readonly stateNoise: number;
}

/** Nothing goes wrong. */
export const undisturbed: DisturbanceSettings = { seed: 0, loss: 0, delayNs: 0n, stateNoise: 0 };

/** What a sample is: a state, an observation, or a command of one of the kinds. */
export type Channel = 'state' | 'observation' | VehicleCommand['kind'];

/**
 * Decides what becomes of each sample. Every vehicle and channel has random numbers of its own, so
 * that the n-th state of a vehicle has the same fate whatever came of the others, and when.
 */
export class Disturbances {
  readonly #streams = new Map<string, RandomStream>();

  constructor(private readonly settings: DisturbanceSettings) {}

  /** How much later a sample gets where it is sent to, ns. */
  get delayNs(): bigint {
    return this.settings.delayNs;
  }

  /** True when the next sample of this channel is lost. */
  loses(channel: Channel, vehicleId: number): boolean {
    const { loss } = this.settings;
    return loss > 0 && this.#stream('loss', channel, vehicleId).uniform() < loss;
  }

  /** The next sample of this channel as it is measured: its position is off. */
  measured<T extends { readonly vehicle_id: number; readonly pose: Pose2D }>(
    channel: 'state' | 'observation',
    sample: T,
  ): T {
    const { stateNoise } = this.settings;
    if (stateNoise === 0) return sample;
    const off = this.#stream('noise', channel, sample.vehicle_id).normalPoint(stateNoise);
    const { x, y, yaw } = sample.pose;
    return { ...sample, pose: { x: x + off.x, y: y + off.y, yaw } };
  }

  #stream(purpose: 'loss' | 'noise', channel: Channel, vehicleId: number): RandomStream {
    const name = `${purpose} of ${channel} ${vehicleId}`;
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      stream = new RandomStream(this.settings.seed, name);
      this.#streams.set(name, stream);
    }
    return stream;
  }
}
