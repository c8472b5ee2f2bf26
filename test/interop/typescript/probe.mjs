// The probe in JavaScript, with the SDK: see ../README.md for what every probe does.
// Usage: node probe.mjs --vehicle-id ID --domain ID
import { createController } from 'hlc-middleware/controller';

/** @typedef {import('hlc-middleware/controller').Step} Step */
/** @typedef {import('hlc-middleware/controller').Command} Command */
/** @typedef {import('hlc-middleware/controller').VehicleObservation} VehicleObservation */

const vehicle_id = Number(process.argv[3]);
const domainId = Number(process.argv[5]);
const bits = new DataView(new ArrayBuffer(8));

class Hash {
  value = 0xcbf29ce484222325n;

  /** @param {bigint | number | boolean} value */
  word(value) {
    this.value = BigInt.asUintN(
      64,
      (this.value ^ BigInt.asUintN(64, BigInt(value))) * 0x100000001b3n,
    );
  }

  /** @param {number[]} values */
  numbers(...values) {
    for (const value of values) {
      bits.setFloat64(0, value);
      this.word(bits.getBigUint64(0));
    }
  }

  /** @param {VehicleObservation} entry */
  head({ vehicle_id, header, pose }) {
    this.word(vehicle_id);
    this.word(header.create_stamp.nanoseconds);
    this.word(header.valid_after_stamp.nanoseconds);
    this.numbers(pose.x, pose.y, pose.yaw);
  }
}

/** @param {Step} step */
function hashOf(step) {
  const hash = new Hash();
  hash.word(step.tNowNs);
  hash.word(step.periodNs / 1_000_000n);
  hash.word(step.vehicles.size);
  for (const state of step.vehicles.values()) {
    hash.head(state);
    hash.word(state.IPS_update_age_nanoseconds);
    hash.numbers(
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
    );
    hash.word(state.is_real);
  }
  hash.word(step.observations.size);
  for (const seen of step.observations.values()) hash.head(seen);
  hash.word(step.activeVehicleIds.length);
  for (const id of step.activeVehicleIds) hash.word(id);
  return hash.value.toString(16).padStart(16, '0');
}

/** @returns {Command | undefined} @param {Step} step */
function answer({ tNowNs, periodNs, vehicles, observations }) {
  const own = vehicles.get(vehicle_id);
  if (own === undefined) return undefined;
  switch ((tNowNs / periodNs) % 4n) {
    case 0n: {
      const { motor_throttle, steering_servo } = own;
      return { kind: 'direct', vehicle_id, motor_throttle, steering_servo };
    }
    case 1n:
      return { kind: 'speedCurvature', vehicle_id, speed: own.speed, curvature: own.imu_yaw };
    case 2n: {
      const trajectory_points = [...vehicles.values()].map((state, i) => ({
        t: { nanoseconds: tNowNs + BigInt(i) * 100_000_000n },
        px: state.pose.x,
        py: state.pose.y,
        vx: state.imu_acceleration_forward,
        vy: state.imu_acceleration_left,
      }));
      return { kind: 'trajectory', vehicle_id, trajectory_points };
    }
    default: {
      const poses = [...observations.values()].map(({ pose }) => pose);
      const path = [...poses, ...poses.slice(0, 1)].map((pose, s) => ({ pose, s }));
      return { kind: 'pathTracking', vehicle_id, path, speed: own.speed };
    }
  }
}

createController({
  vehicleIds: [vehicle_id],
  network: { domainId },
  onStep(step) {
    console.log(`${step.tNowNs} ${hashOf(step)}`);
    return answer(step);
  },
});
