import { firstNotFinite, type Command } from '../core/index.js';
import type { Pose2D, VehicleObservation, VehicleState } from '../messages/index.js';
import {
  curvatureOf,
  stepBicycle,
  type BicycleInput,
  type BicycleParameters,
  type BicycleState,
} from './bicycle-model.js';
import { CommandInbox } from './command-inbox.js';
import { trackCommand } from './command-tracker.js';
import { modelCar, servoFor, throttleFor } from './model-car.js';
import type { VehicleCommand } from './vehicle-command.js';

/** A state may be used 60 ms after it was made (CPM Lab vehicle). */
const stateDelayNs = 60_000_000n;
const restVoltage = 7.8;

/** Whether a vehicle drives by a command, and why not. */
export type Drive = 'no-command-yet' | 'commanded' | 'command-timeout';

/** One simulated model car: it obeys commands, moves, and tells its state. Pure of time and I/O. */
export class SimulatedVehicle {
  readonly id: number;
  readonly #parameters: BicycleParameters = modelCar;
  readonly #inbox = new CommandInbox();
  #motion: BicycleState;
  #input: BicycleInput = { acceleration: 0, steeringAngle: 0 };
  #drive: Drive = 'no-command-yet';
  /** Of the last step, m/s². */
  #acceleration = 0;
  #odometer = 0;
  #driven = 0;

  /**
   * @param id Vehicle id, 0 to 255.
   * @param pose Where it stands at first, metres and radians in the map frame.
   */
  constructor(id: number, pose: Pose2D) {
    this.id = id;
    this.#motion = { x: pose.x, y: pose.y, yaw: pose.yaw, speed: 0, steeringAngle: 0 };
  }

  /** Motion now. */
  get motion(): BicycleState {
    return this.#motion;
  }

  get drive(): Drive {
    return this.#drive;
  }

  /** Metres driven since it was made, backwards counted as forwards. */
  get drivenM(): number {
    return this.#driven;
  }

  /** Takes a command. @returns false when it holds a number that is not finite and is refused. */
  receive(command: VehicleCommand): boolean {
    if (firstNotFinite({ kind: command.kind, message: command } as Command) !== null) return false;
    this.#inbox.add(command);
    return true;
  }

  /**
   * Moves to a time with what the actuators do, and decides what they do from then on. Without a
   * command in force the vehicle brakes and stands (CPM Lab vehicle: 1 s after the last one).
   * @param nowNs Time at the end of the step, nanoseconds since 1970.
   * @param dt Length of the step and of the next one, seconds, positive.
   */
  step(nowNs: bigint, dt: number): void {
    const before = this.#motion.speed;
    this.#motion = stepBicycle(this.#motion, this.#input, dt, this.#parameters);
    const { speed } = this.#motion;
    const distance = ((before + speed) / 2) * dt;
    this.#odometer += distance;
    this.#driven += Math.abs(distance);
    this.#acceleration = (speed - before) / dt;

    const command = this.#inbox.commandAt(nowNs);
    if (command) this.#drive = 'commanded';
    else if (this.#drive === 'commanded') this.#drive = 'command-timeout';
    this.#input = trackCommand(command, this.#motion, nowNs, dt, this.#parameters);
  }

  /** The sample of topic vehicleState, made at `nowNs`. The sensors are ideal. */
  state(nowNs: bigint): VehicleState {
    const { x, y, yaw, speed, steeringAngle } = this.#motion;
    const acceleration = this.#acceleration;
    const yawRate = speed * curvatureOf(steeringAngle, this.#parameters.wheelbase);
    return {
      vehicle_id: this.id,
      header: {
        create_stamp: { nanoseconds: nowNs },
        valid_after_stamp: { nanoseconds: nowNs + stateDelayNs },
      },
      pose: { x, y, yaw },
      IPS_update_age_nanoseconds: 0n,
      odometer_distance: this.#odometer,
      imu_acceleration_forward: acceleration,
      imu_acceleration_left: speed * yawRate,
      imu_acceleration_up: 0,
      imu_yaw: yaw,
      imu_yaw_rate: yawRate,
      speed,
      battery_voltage: restVoltage - 0.03 * Math.abs(acceleration),
      motor_current: 0.2 * Math.abs(acceleration),
      motor_throttle: throttleFor(this.#input.acceleration, speed),
      steering_servo: servoFor(steeringAngle),
      is_real: false,
    };
  }

  /** The sample of topic vehicleObservation, as an exact positioning system sees it at `nowNs`. */
  observation(nowNs: bigint): VehicleObservation {
    const { x, y, yaw } = this.#motion;
    return {
      vehicle_id: this.id,
      header: {
        create_stamp: { nanoseconds: nowNs },
        valid_after_stamp: { nanoseconds: nowNs },
      },
      pose: { x, y, yaw },
    };
  }
}
