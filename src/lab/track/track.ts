import { clamp } from '../../core/index.js';
import type { Pose2D } from '../../messages/index.js';
import { wrapAngle } from '../number-ranges.js';

/** A closed figure in the plane of the lab that vehicles drive round and round. */
export interface Track {
  /** Length of one round, metres. */
  readonly length: number;
  /**
   * Vehicles keep their distance on a ring of this length, metres: the round itself, or the way from
   * crossing to crossing where the track crosses itself, so that no two vehicles are there at once.
   */
  readonly ring: number;
  /**
   * The pose on the track, heading along it.
   * @param s Metres from its beginning; more than a round goes around again.
   */
  poseAt(s: number): Pose2D;
  /**
   * The place on the track, metres from its beginning, that is nearest to a pose. The heading counts,
   * too, since a track that crosses itself has two places at the crossing.
   */
  placeOf(pose: Pose2D): number;
}

/** A straight or an arc of a circle. */
export interface Segment {
  /** Metres, positive. */
  readonly length: number;
  /** 1/m, a left turn is positive; 0 is a straight. */
  readonly curvature: number;
}

interface PlacedSegment extends Segment {
  readonly from: number;
  readonly start: Pose2D;
}

/** A wrong heading by 1 rad counts as much as this many metres. */
const metresPerRadian = 0.3;

/**
 * The track of these segments, one after the other.
 * @param start The pose at its beginning. The segments must lead back to it.
 * @param ring See {@link Track.ring}; default: one round.
 */
export function trackOf(start: Pose2D, segments: readonly Segment[], ring?: number): Track {
  const placed: PlacedSegment[] = [];
  let from = 0;
  let pose = start;
  for (const segment of segments) {
    placed.push({ ...segment, from, start: pose });
    from += segment.length;
    pose = along(pose, segment.curvature, segment.length);
  }
  const length = from;
  return {
    length,
    ring: ring ?? length,
    poseAt(s) {
      const onRound = ((s % length) + length) % length;
      const segment = placed.findLast((one) => one.from <= onRound) ?? placed[0];
      if (segment === undefined) return start;
      return along(segment.start, segment.curvature, onRound - segment.from);
    },
    placeOf(target) {
      const candidates = placed.map((segment) => nearestOn(segment, target));
      return candidates.reduce((best, one) => (one.cost < best.cost ? one : best)).place;
    },
  };
}

/** The pose after `distance` metres on an arc. */
function along(start: Pose2D, curvature: number, distance: number): Pose2D {
  const turn = curvature * distance;
  const chord = turn === 0 ? distance : (distance * Math.sin(turn / 2)) / (turn / 2);
  return {
    x: start.x + chord * Math.cos(start.yaw + turn / 2),
    y: start.y + chord * Math.sin(start.yaw + turn / 2),
    yaw: wrapAngle(start.yaw + turn),
  };
}

function nearestOn(segment: PlacedSegment, target: Pose2D): { place: number; cost: number } {
  const { start, curvature, length } = segment;
  const dx = target.x - start.x;
  const dy = target.y - start.y;
  const forwards = dx * Math.cos(start.yaw) + dy * Math.sin(start.yaw);
  const left = dy * Math.cos(start.yaw) - dx * Math.sin(start.yaw);
  let onSegment = forwards;
  if (curvature !== 0) {
    // The angle at the centre, counted along the way; the gap of the circle is halved.
    const middle = (Math.abs(curvature) * length) / 2;
    const side = Math.sign(curvature);
    const angle = Math.atan2(forwards, 1 / Math.abs(curvature) - side * left);
    onSegment = (middle + wrapAngle(angle - middle)) / Math.abs(curvature);
  }
  const place = clamp(onSegment, 0, length);
  const pose = along(start, curvature, place);
  const turn = metresPerRadian * wrapAngle(target.yaw - pose.yaw);
  const cost = (target.x - pose.x) ** 2 + (target.y - pose.y) ** 2 + turn ** 2;
  return { place: segment.from + place, cost };
}
