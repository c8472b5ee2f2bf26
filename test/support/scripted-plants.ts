import type { DdsParticipant } from '../../src/dds/index.js';
import {
  topics,
  type VehicleCommandDirect,
  type VehicleCommandSpeedCurvature,
  type VehicleCommandTrajectory,
  type VehicleObservation,
  type VehicleState,
} from '../../src/messages/index.js';
import { Recorder } from './recorder.js';
import { TopicRecorder, type Received } from './topic-recorder.js';
import { TopicSource } from './topic-source.js';

/** CPM Lab vehicles stamp their states like this: not to be used before. */
const validAfterNs = 60_000_000n;

/** What a plant takes from a command. */
interface Input {
  readonly vehicleId: number;
  readonly createNs: bigint;
  readonly value: number;
}

/**
 * Vehicles in simulated time whose states depend on nothing but the commands that came for earlier
 * steps. They amplify: whatever differs in one bit is another state a few steps later.
 */
export class ScriptedPlants {
  readonly direct: TopicRecorder<VehicleCommandDirect>;
  readonly speedCurvature: TopicRecorder<VehicleCommandSpeedCurvature>;
  readonly trajectory: TopicRecorder<VehicleCommandTrajectory>;
  readonly #inputs = new Recorder<Input>('commands for plants');
  readonly #states: TopicSource<VehicleState>;
  readonly #observations: TopicSource<VehicleObservation>;
  readonly #positions: Map<number, number>;

  /**
   * @param ids of the vehicles
   * @param periodNs of the middleware, ns: every vehicle is commanded once in each
   */
  constructor(
    side: DdsParticipant,
    ids: readonly number[],
    private readonly periodNs: bigint,
  ) {
    this.#positions = new Map(ids.map((id) => [id, 1 / (id + 2)]));
    this.direct = new TopicRecorder(side, topics.vehicleCommandDirect);
    this.speedCurvature = new TopicRecorder(side, topics.vehicleCommandSpeedCurvature);
    this.trajectory = new TopicRecorder(side, topics.vehicleCommandTrajectory);
    this.#listen(this.direct, ({ motor_throttle }) => motor_throttle);
    this.#listen(this.speedCurvature, ({ curvature }) => curvature);
    this.#listen(this.trajectory, ({ trajectory_points }) => trajectory_points.at(-1)?.px ?? 0);
    this.#states = new TopicSource(side, topics.vehicleState);
    this.#observations = new TopicSource(side, topics.vehicleObservation);
  }

  /** Settles when they and a middleware have matched. */
  async untilMatched(): Promise<void> {
    await Promise.all([
      this.#states.untilReadBy(1),
      this.#observations.untilReadBy(1),
      this.direct.untilMatched(),
      this.speedCurvature.untilMatched(),
      this.trajectory.untilMatched(),
    ]);
  }

  /** Makes and publishes the states of a time, once the commands of the step before are there. */
  async step(tNowNs: bigint, isFirst: boolean): Promise<void> {
    const header = {
      create_stamp: { nanoseconds: tNowNs },
      valid_after_stamp: { nanoseconds: tNowNs + validAfterNs },
    };
    const before = tNowNs - this.periodNs;
    for (const [vehicle_id, position] of this.#positions) {
      if (!isFirst) {
        const input = await this.#inputs.until(
          ({ vehicleId, createNs }) => vehicleId === vehicle_id && createNs === before,
        );
        this.#positions.set(vehicle_id, nextPosition(position, input.value));
      }
      const pose = { x: this.#positions.get(vehicle_id) ?? 0, y: Number(tNowNs) / 1e9, yaw: 0 };
      this.#states.write({ vehicle_id, header, pose });
      this.#observations.write({ vehicle_id, header, pose });
    }
  }

  #listen<
    T extends {
      readonly vehicle_id: number;
      readonly header: VehicleState['header'];
    },
  >(recorder: TopicRecorder<T>, valueOf: (message: T) => number): void {
    recorder.messages.forEach(({ message }: Received<T>) => {
      const createNs = message.header.create_stamp.nanoseconds;
      this.#inputs.add({ vehicleId: message.vehicle_id, createNs, value: valueOf(message) });
    });
  }
}

/** The logistic map in its chaotic range, disturbed by the input; stays between 0 and 1. */
function nextPosition(position: number, input: number): number {
  const disturbed = (position + Math.abs(Math.sin(input))) / 2;
  return 3.97 * disturbed * (1 - disturbed);
}
