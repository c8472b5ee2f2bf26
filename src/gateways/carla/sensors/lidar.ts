import type { LidarScan } from '../protocol/sensor-frames.js';
import type { LidarSettings } from '../protocol/settings.js';
import {
  castAtBox,
  castAtGround,
  castBoxes,
  turn,
  type Scene,
  type Vector,
  type View,
} from './scene.js';

/** The part of a turn that one frame has. */
export interface LidarSweep {
  /** Degrees at which it begins. */
  readonly fromAngle: number;
  /** Seconds. */
  readonly duration: number;
}

/** Most points of one frame; what is beyond is left out evenly. */
const mostPoints = 500_000;
const radiansPerDegree = Math.PI / 180;

/** The angle, 0 to 360 degrees, at which a sweep ends. */
export function angleAfter(settings: LidarSettings, { fromAngle, duration }: LidarSweep): number {
  return (fromAngle + settings.rotationFrequency * 360 * duration) % 360;
}

/**
 * Casts the rays of a sweep. A point is as CARLA 0.8 gives it: the vector from the point to the
 * sensor, turned by 90 degrees: x to the right, y to the rear, z downwards.
 */
export function scan(
  settings: LidarSettings,
  sweep: LidarSweep,
  view: View,
  scene: Scene,
): LidarScan {
  const { channels, range, pointsPerSecond, rotationFrequency, upperFov, lowerFov } = settings;
  const wanted = Math.round((pointsPerSecond * sweep.duration) / channels);
  const perChannel = Math.min(wanted, Math.floor(mostPoints / channels));
  const stepAngle = (rotationFrequency * 360 * sweep.duration) / Math.max(1, perChannel);
  const boxes = castBoxes(scene);
  const counts = new Uint32Array(channels);
  const points = new Float32Array(3 * channels * perChannel);
  let filled = 0;
  for (let channel = 0; channel < channels; channel++) {
    const share = channels === 1 ? 0 : channel / (channels - 1);
    const vertical = (upperFov - (upperFov - lowerFov) * share) * radiansPerDegree;
    for (let i = 0; i < perChannel; i++) {
      const horizontal = (sweep.fromAngle + stepAngle * i) * radiansPerDegree;
      const ray = direction(view, horizontal, vertical);
      let distance = castAtGround(view.origin, ray);
      for (const box of boxes) {
        const hit = castAtBox(view.origin, ray, box, scene.size);
        if (hit !== null && hit.distance < distance) distance = hit.distance;
      }
      if (distance > range) continue;
      const [x, y, z] = ray;
      const back: Vector = [-x * distance, -y * distance, -z * distance];
      points.set(turn(back, Math.PI / 2 - view.yaw), filled);
      filled += 3;
      counts[channel] = (counts[channel] ?? 0) + 1;
    }
  }
  return {
    horizontalAngle: angleAfter(settings, sweep),
    counts,
    points: points.subarray(0, filled),
  };
}

function direction({ forward, right, up }: View, horizontal: number, vertical: number): Vector {
  const f = Math.cos(vertical) * Math.cos(horizontal);
  const r = Math.cos(vertical) * Math.sin(horizontal);
  const u = Math.sin(vertical);
  return [
    forward[0] * f + right[0] * r + up[0] * u,
    forward[1] * f + right[1] * r + up[1] * u,
    forward[2] * f + right[2] * r + up[2] * u,
  ];
}
