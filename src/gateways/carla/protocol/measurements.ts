import { create, toBinary } from '@bufbuild/protobuf';

import type { VehicleState } from '../../../messages/index.js';
import { MeasurementsSchema } from '../../generated/carla_pb.js';
import { encodeFrame } from './frames.js';
import { boundingBoxOf, transformOf, type VehicleSize } from './transforms.js';

/** The contents of one frame. */
export interface FrameContent {
  /** 1 for the first frame of an episode. */
  readonly frameNumber: number;
  /** Milliseconds of the machine, and since the start of the episode; both modulo 2³². */
  readonly platformMs: number;
  readonly gameMs: number;
  /** The vehicle of the client; undefined before its first state. */
  readonly player: VehicleState | undefined;
  /** The other vehicles; empty when the client does not ask for them. */
  readonly others: readonly VehicleState[];
  /** Of every vehicle. */
  readonly size: VehicleSize;
}

/** The frame of Measurements. */
export function encodeMeasurements(content: FrameContent): Uint8Array {
  const { frameNumber, platformMs, gameMs, player, others, size } = content;
  const boundingBox = boundingBoxOf(size);
  const message = create(MeasurementsSchema, {
    platformTimestamp: Math.trunc(platformMs) >>> 0,
    gameTimestamp: Math.trunc(gameMs) >>> 0,
    frameNumber: BigInt(frameNumber),
    playerMeasurements: {
      transform: transformOf(player?.pose ?? { x: 0, y: 0, yaw: 0 }),
      acceleration: accelerationOf(player),
      forwardSpeed: player?.speed ?? 0,
      autopilotControl: {},
      boundingBox,
    },
    nonPlayerAgents: others.map(({ vehicle_id: id, pose, speed }) => ({
      id,
      agent: {
        case: 'vehicle' as const,
        value: { transform: transformOf(pose), forwardSpeed: speed, boundingBox },
      },
    })),
  });
  return encodeFrame(toBinary(MeasurementsSchema, message));
}

/** In the map, m/s². */
function accelerationOf(state: VehicleState | undefined): { x: number; y: number; z: number } {
  if (state === undefined) return { x: 0, y: 0, z: 0 };
  const { imu_acceleration_forward: forward, imu_acceleration_left: left, pose } = state;
  const [cos, sin] = [Math.cos(pose.yaw), Math.sin(pose.yaw)];
  return {
    x: forward * cos - left * sin,
    y: -(forward * sin + left * cos) + 0,
    z: state.imu_acceleration_up,
  };
}
