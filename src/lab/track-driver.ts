import { clamp, toS } from '../core/index.js';
import type { Pose2D, SpeedCurvatureCommand, Step, VehicleState } from '../controller/index.js';
import type { Track } from './track/index.js';

/** m/s, without a vehicle in front. */
const cruiseSpeed = 0.8;
/** Metres between the middles of two vehicles that stand. */
const restGap = 0.3;
/** Seconds to the vehicle in front, beyond the rest gap. */
const headway = 0.6;
/** How far ahead the point lies that the vehicle steers to, metres. */
const lookAhead = 0.25;
/** 1/m; a vehicle cannot turn more sharply. */
const largestCurvature = 3.5;

/**
 * The command of a period to follow a track at a distance from the vehicle in front. It
 * stands until its own state is known.
 */
export function driveAlong(
  track: Track,
  vehicleId: number,
  step: Pick<Step, 'tNowNs' | 'vehicles'>,
): SpeedCurvatureCommand {
  const own = step.vehicles.get(vehicleId);
  const still = { kind: 'speedCurvature', vehicle_id: vehicleId, speed: 0, curvature: 0 } as const;
  if (own === undefined) return still;
  const place = placeNow(track, own, step);
  const gaps = Array.from(step.vehicles.values())
    .filter((other) => other !== own)
    .map((other) => gapOnRing(track, placeNow(track, other, step), place));
  const gap = Math.min(track.ring, ...gaps);
  const speed = clamp((gap - restGap) / headway, 0, cruiseSpeed);
  const curvature = curvatureTo(track.poseAt(place + lookAhead), poseNow(own, step));
  return { ...still, speed, curvature };
}

/** A state is some time old: the vehicle went on since, straight ahead. */
function poseNow({ header, pose, speed }: VehicleState, step: Pick<Step, 'tNowNs'>): Pose2D {
  const way = toS(step.tNowNs - header.create_stamp.nanoseconds) * speed;
  return {
    x: pose.x + way * Math.cos(pose.yaw),
    y: pose.y + way * Math.sin(pose.yaw),
    yaw: pose.yaw,
  };
}

function placeNow(track: Track, state: VehicleState, step: Pick<Step, 'tNowNs'>): number {
  return track.placeOf(poseNow(state, step));
}

/** How far `front` is ahead of `place` on the ring, metres. */
function gapOnRing({ ring }: Track, front: number, place: number): number {
  return (((front - place) % ring) + ring) % ring;
}

/** Curvature of the arc from a pose to a point (pure pursuit), 1/m. */
function curvatureTo(target: Pose2D, from: Pose2D): number {
  const dx = target.x - from.x;
  const dy = target.y - from.y;
  const left = dy * Math.cos(from.yaw) - dx * Math.sin(from.yaw);
  const curvature = (2 * left) / (dx ** 2 + dy ** 2);
  return clamp(curvature, -largestCurvature, largestCurvature);
}
