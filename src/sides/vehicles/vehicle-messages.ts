import {
  VehicleStateCodec,
  type Pose2D,
  type VehicleObservation,
  type VehicleState,
} from '../../messages/index.js';

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
  const {
    vehicleId,
    pose,
    observation,
    createNs = nowNs,
    validAfterNs = createNs + stateDelayNs,
    ...fields
  } = measurement;
  return {
    ...VehicleStateCodec.zero(),
    imu_yaw: pose.yaw,
    ...fields,
    vehicle_id: vehicleId,
    header: {
      create_stamp: { nanoseconds: createNs },
      valid_after_stamp: { nanoseconds: validAfterNs },
    },
    pose: { x: pose.x, y: pose.y, yaw: pose.yaw },
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
