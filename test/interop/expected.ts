import type {
  VehicleObservation,
  VehicleState,
  VehicleStateList,
} from '../../src/messages/index.js';
import type { AnyCommand } from '../support/commands.js';
import type { RandomWorld } from './random-world.js';

const ms = 1_000_000n; // ns

/** The start signal of a world in which all vehicles are active. */
export function expectedList(
  world: RandomWorld,
  t_now: bigint,
  period_ms: bigint,
): VehicleStateList {
  return {
    t_now,
    period_ms,
    state_list: [...world.states],
    vehicle_observation_list: [...world.observations],
    active_vehicle_ids: world.states.map(({ vehicle_id }) => vehicle_id),
  };
}

/** The hash that a probe prints of this list. See README.md. */
export function hashOf(list: VehicleStateList): string {
  let hash = 0xcbf29ce484222325n;
  for (const word of wordsOf(list)) {
    hash = BigInt.asUintN(64, (hash ^ word) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** What a probe answers to this list. See README.md. */
export function expectedCommand(list: VehicleStateList, vehicle_id: number): AnyCommand {
  const { t_now, period_ms, state_list, vehicle_observation_list } = list;
  const own = state_list.find((state) => state.vehicle_id === vehicle_id);
  if (own === undefined) throw new Error(`Vehicle ${vehicle_id} is not in the list.`);
  const stamp = { nanoseconds: t_now };
  const common = { vehicle_id, header: { create_stamp: stamp, valid_after_stamp: stamp } };
  switch ((t_now / (period_ms * ms)) % 4n) {
    case 0n: {
      const { motor_throttle, steering_servo } = own;
      return { kind: 'direct', message: { ...common, motor_throttle, steering_servo } };
    }
    case 1n: {
      const message = { ...common, speed: own.speed, curvature: own.imu_yaw };
      return { kind: 'speedCurvature', message };
    }
    case 2n: {
      const trajectory_points = state_list.map((state, index) => ({
        t: { nanoseconds: t_now + BigInt(index) * 100n * ms },
        px: state.pose.x,
        py: state.pose.y,
        vx: state.imu_acceleration_forward,
        vy: state.imu_acceleration_left,
      }));
      return { kind: 'trajectory', message: { ...common, trajectory_points } };
    }
    default: {
      const poses = vehicle_observation_list.map(({ pose }) => pose);
      const path = [...poses, ...poses.slice(0, 1)].map((pose, s) => ({ pose, s }));
      return { kind: 'pathTracking', message: { ...common, path, speed: own.speed } };
    }
  }
}

function* wordsOf(list: VehicleStateList): Generator<bigint> {
  yield list.t_now;
  yield list.period_ms;
  yield BigInt(list.state_list.length);
  for (const state of list.state_list) {
    yield* headOf(state);
    yield state.IPS_update_age_nanoseconds;
    yield* [
      state.odometer_distance,
      state.imu_acceleration_forward,
      state.imu_acceleration_left,
      state.imu_acceleration_up,
      state.imu_yaw,
      state.imu_yaw_rate,
      state.speed,
      state.battery_voltage,
      state.motor_current,
      state.motor_throttle,
      state.steering_servo,
    ].map(bitsOf);
    yield BigInt(state.is_real);
  }
  yield BigInt(list.vehicle_observation_list.length);
  for (const seen of list.vehicle_observation_list) yield* headOf(seen);
  yield BigInt(list.active_vehicle_ids.length);
  for (const id of list.active_vehicle_ids) yield BigInt.asUintN(64, BigInt(id));
}

function headOf({ vehicle_id, header, pose }: VehicleState | VehicleObservation): bigint[] {
  const { create_stamp, valid_after_stamp } = header;
  return [
    BigInt(vehicle_id),
    create_stamp.nanoseconds,
    valid_after_stamp.nanoseconds,
    ...[pose.x, pose.y, pose.yaw].map(bitsOf),
  ];
}

function bitsOf(number: number): bigint {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(number);
  return bytes.readBigUInt64LE();
}
