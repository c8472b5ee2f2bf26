import type { Pose2D } from '../../../messages/index.js';
import type { SensorPose } from '../protocol/settings.js';
import type { VehicleSize } from '../protocol/transforms.js';

/** A point or direction: metres, axes of CARLA (x front, y right, z up). */
export type Vector = readonly [x: number, y: number, z: number];

/** A vehicle of the scene, in the map of CARLA. */
export interface SceneBox {
  /** Vehicle id. */
  readonly id: number;
  /** Middle of the floor. */
  readonly x: number;
  readonly y: number;
  /** Radians, to the right. */
  readonly yaw: number;
}

/** What sensors see: flat ground at height 0, and vehicles as boxes of one size on it. */
export interface Scene {
  readonly boxes: readonly SceneBox[];
  readonly size: VehicleSize;
}

/** A vehicle at its pose in the lab. */
export function boxAt(id: number, { x, y, yaw }: Pose2D): SceneBox {
  return { id, x, y: -y, yaw: -yaw };
}

/** Where a sensor is and where its axes point, in the map of CARLA. */
export interface View {
  readonly origin: Vector;
  readonly forward: Vector;
  readonly right: Vector;
  readonly up: Vector;
  /** Heading of the sensor, radians, to the right. */
  readonly yaw: number;
}

const radiansPerDegree = Math.PI / 180;

/** The view of a sensor on a vehicle. Pitch is upwards, yaw to the right, as in the Unreal Engine. */
export function viewFrom(vehicle: SceneBox, pose: SensorPose): View {
  const [sp, cp] = sinCos(pose.pitch * radiansPerDegree);
  const [sy, cy] = sinCos(pose.yaw * radiansPerDegree);
  const [sr, cr] = sinCos(pose.roll * radiansPerDegree);
  const turned = (vector: Vector) => turn(vector, vehicle.yaw);
  const [x, y, z] = turned([pose.x, pose.y, pose.z]);
  return {
    origin: [vehicle.x + x, vehicle.y + y, z],
    forward: turned([cp * cy, cp * sy, sp]),
    right: turned([sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp]),
    up: turned([-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp]),
    yaw: vehicle.yaw + pose.yaw * radiansPerDegree,
  };
}

/** A vector turned to the right about the z axis. */
export function turn([x, y, z]: Vector, angle: number): Vector {
  const [sin, cos] = sinCos(angle);
  return [x * cos - y * sin, x * sin + y * cos, z];
}

/** Where a ray meets a box first. */
export interface BoxHit {
  /** In units of the direction. */
  readonly distance: number;
  /** The face that it meets: 0 front or rear, 1 side, 2 top or bottom. */
  readonly face: 0 | 1 | 2;
}

/** A box with what a ray needs. */
export interface CastBox extends SceneBox {
  readonly sin: number;
  readonly cos: number;
}

/** @returns the boxes of a scene, made ready for rays. */
export function castBoxes({ boxes }: Scene): CastBox[] {
  return boxes.map((box) => ({ ...box, sin: Math.sin(box.yaw), cos: Math.cos(box.yaw) }));
}

/** Casts a ray at a box; null when it misses, or starts within. */
export function castAtBox(
  [ox, oy, oz]: Vector,
  [dx, dy, dz]: Vector,
  box: CastBox,
  size: VehicleSize,
): BoxHit | null {
  const { sin, cos } = box;
  const px = (ox - box.x) * cos + (oy - box.y) * sin;
  const py = -(ox - box.x) * sin + (oy - box.y) * cos;
  const directions = [dx * cos + dy * sin, -dx * sin + dy * cos, dz];
  const offsets = [px, py, oz - size.height / 2];
  const halves = [size.length / 2, size.width / 2, size.height / 2];
  let near = -Infinity;
  let far = Infinity;
  let face: BoxHit['face'] = 0;
  for (const axis of [0, 1, 2] as const) {
    const d = directions[axis] ?? 0;
    const p = offsets[axis] ?? 0;
    const half = halves[axis] ?? 0;
    if (d === 0) {
      if (Math.abs(p) > half) return null;
      continue;
    }
    const enter = (-Math.sign(d) * half - p) / d;
    if (enter > near) {
      near = enter;
      face = axis;
    }
    far = Math.min(far, (Math.sign(d) * half - p) / d);
  }
  return near > 0 && near <= far ? { distance: near, face } : null;
}

/** Distance along a ray to the ground; infinite for a ray that does not meet it. */
export function castAtGround([, , oz]: Vector, [, , dz]: Vector): number {
  const distance = -oz / dz;
  return dz !== 0 && distance > 0 ? distance : Infinity;
}

function sinCos(angle: number): [sin: number, cos: number] {
  return [Math.sin(angle), Math.cos(angle)];
}
