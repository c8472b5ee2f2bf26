import type { Pose2D, VehicleObservation, VehicleState } from '../../messages/index.js';

/** A state may be used 60 ms after it was made (CPM Lab vehicle). */
export const stateDelayNs = 60_000_000n;

type FurtherFields = Omit<VehicleState, 'vehicle_id' | 'header' | 'pose' | 'speed'>;

/**
 * What a vehicle measures of itself at one time. The fields that are not listed here are those of
 * `idl/VehicleState.idl`, with its units; without a value they are 0 or false, and `imu_yaw` is the
 * heading of the pose.
 */
export interface VehicleMeasurement extends Readonly<Partial<FurtherFields>> {
  /** 0 to 255. */
  readonly vehicleId: number;
  /** Metres and radians in the map frame. */
  readonly pose: Readonly<Pose2D>;
  /** m/s, negative when driving backwards. */
  readonly speed: number;
  /** The pose as the positioning system sees it; default: that of the vehicle; null: not seen. */
  readonly observation?: Readonly<Pose2D> | null;
  /** When it was measured, ns since 1970 or of the simulated time; default: now. */
  readonly createNs?: bigint;
  /** From when on the state may be used, ns; default: 60 ms after `createNs`. */
  readonly validAfterNs?: bigint;
}

/** The sample of topic `vehicleState`. @param nowNs Stands for an absent `createNs`. */
export function vehicleStateOf(measurement: VehicleMeasurement, nowNs: bigint): VehicleState {
  const { vehicleId, pose, createNs = nowNs, validAfterNs = createNs + stateDelayNs } = measurement;
  // Field by field: gateways publish thousands of states a second, and copying whole objects is slow.
  return {
    vehicle_id: vehicleId,
    header: {
      create_stamp: { nanoseconds: createNs },
      valid_after_stamp: { nanoseconds: validAfterNs },
    },
    pose: { x: pose.x, y: pose.y, yaw: pose.yaw },
    IPS_update_age_nanoseconds: measurement.IPS_update_age_nanoseconds ?? 0n,
    odometer_distance: measurement.odometer_distance ?? 0,
    imu_acceleration_forward: measurement.imu_acceleration_forward ?? 0,
    imu_acceleration_left: measurement.imu_acceleration_left ?? 0,
    imu_acceleration_up: measurement.imu_acceleration_up ?? 0,
    imu_yaw: measurement.imu_yaw ?? pose.yaw,
    imu_yaw_rate: measurement.imu_yaw_rate ?? 0,
    speed: measurement.speed,
    battery_voltage: measurement.battery_voltage ?? 0,
    motor_current: measurement.motor_current ?? 0,
    motor_throttle: measurement.motor_throttle ?? 0,
    steering_servo: measurement.steering_servo ?? 0,
    is_real: measurement.is_real ?? false,
  };
}

/**
 * The sample of topic `vehicleObservation`, which may be used at once; null when the positioning
 * system does not see the vehicle.
 * @param nowNs Stands for an absent `createNs`.
 */
export function vehicleObservationOf(
  measurement: VehicleMeasurement,
  nowNs: bigint,
): VehicleObservation | null {
  const { vehicleId, pose, observation = pose, createNs = nowNs } = measurement;
  if (observation === null) return null;
  const stamp = { nanoseconds: createNs };
  return {
    vehicle_id: vehicleId,
    header: { create_stamp: stamp, valid_after_stamp: stamp },
    pose: { x: observation.x, y: observation.y, yaw: observation.yaw },
  };
}
