import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Pose2D } from '../../../messages/index.js';
import type { BoundingBoxSchema, TransformSchema } from '../../generated/carla_pb.js';

/** Size of a vehicle, metres. */
export interface VehicleSize {
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

const degreesPerRadian = 180 / Math.PI;

/**
 * A heading of the lab (radians, to the left) as a yaw of CARLA: degrees to the right, above −180
 * and at most 180.
 */
export function carlaYaw(yaw: number): number {
  const turned = (-yaw * degreesPerRadian) % 360;
  if (turned > 180) return turned - 360;
  return turned <= -180 ? turned + 360 : turned + 0;
}

/** A pose of the lab in CARLA, whose y axis points to the right. */
export function transformOf({ x, y, yaw }: Pose2D): MessageInitShape<typeof TransformSchema> {
  return {
    location: { x, y: -y + 0, z: 0 },
    orientation: { x: Math.cos(yaw), y: -Math.sin(yaw), z: 0 },
    rotation: { pitch: 0, yaw: carlaYaw(yaw), roll: 0 },
  };
}

/** The box of a vehicle whose pose is the middle of its floor. */
export function boundingBoxOf(size: VehicleSize): MessageInitShape<typeof BoundingBoxSchema> {
  const { length, width, height } = size;
  return {
    transform: {
      location: { x: 0, y: 0, z: height / 2 },
      orientation: { x: 1, y: 0, z: 0 },
      rotation: {},
    },
    extent: { x: length / 2, y: width / 2, z: height / 2 },
  };
}
