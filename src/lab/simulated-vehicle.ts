import type { Pose2D } from '../messages/index.js';
import type { VehicleCommand, VehicleMeasurement } from '../sides/index.js';
import {
  curvatureOf,
  stepBicycle,
  type BicycleInput,
  type BicycleParameters,
  type BicycleState,
} from './bicycle-model.js';
import { trackCommand } from './command-tracker.js';
import { modelCar, servoFor, throttleFor } from './model-car.js';

const restVoltage = 7.8;

/** Whether a vehicle drives by a command, and why not. */
export type Drive = 'no-command-yet' | 'commanded' | 'command-timeout';

/** One simulated model car: it moves by a command and measures itself. Pure of time and I/O. */
export class SimulatedVehicle {
  readonly id: number;
  readonly #parameters: BicycleParameters = modelCar;
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

  /**
   * Moves to a time with what the actuators do, and decides what they do from then on.
   * @param nowNs Time at the end of the step, nanoseconds since 1970.
   * @param dt Length of the step and of the next one, seconds, positive.
   * @param command Which it obeys from then on; null: it brakes and stands.
   */
  step(nowNs: bigint, dt: number, command: VehicleCommand | null): void {
    const before = this.#motion.speed;
    this.#motion = stepBicycle(this.#motion, this.#input, dt, this.#parameters);
    const { speed } = this.#motion;
    const distance = ((before + speed) / 2) * dt;
    this.#odometer += distance;
    this.#driven += Math.abs(distance);
    this.#acceleration = (speed - before) / dt;

    if (command) this.#drive = 'commanded';
    else if (this.#drive === 'commanded') this.#drive = 'command-timeout';
    this.#input = trackCommand(command, this.#motion, nowNs, dt, this.#parameters);
  }

  /** What it measures of itself now. The sensors are ideal. */
  measured(): VehicleMeasurement {
    const { x, y, yaw, speed, steeringAngle } = this.#motion;
    const acceleration = this.#acceleration;
    const yawRate = speed * curvatureOf(steeringAngle, this.#parameters.wheelbase);
    return {
      vehicleId: this.id,
      pose: { x, y, yaw },
      speed,
      odometer_distance: this.#odometer,
      imu_acceleration_forward: acceleration,
      imu_acceleration_left: speed * yawRate,
      imu_yaw_rate: yawRate,
      battery_voltage: restVoltage - 0.03 * Math.abs(acceleration),
      motor_current: 0.2 * Math.abs(acceleration),
      motor_throttle: throttleFor(this.#input.acceleration, speed),
      steering_servo: servoFor(steeringAngle),
    };
  }
}
