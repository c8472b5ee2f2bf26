import type { Pose2D } from '../../messages/index.js';
import { trackOf, type Track } from './track.js';

/** Middle of a lab of 4.5 m × 4 m. All tracks leave at least 0.3 m to its sides. */
const centre = { x: 2.25, y: 2 };

/** Two straights along the x axis and two half circles, counter-clockwise; lengths in metres. */
function oval(straight: number, radius: number): Track {
  const half = [
    { length: straight, curvature: 0 },
    { length: Math.PI * radius, curvature: 1 / radius },
  ];
  const start = { x: centre.x - straight / 2, y: centre.y - radius, yaw: 0 };
  return trackOf(start, [...half, ...half]);
}

function circle(radius: number): Track {
  const start = { x: centre.x, y: centre.y - radius, yaw: 0 };
  return trackOf(start, [{ length: 2 * Math.PI * radius, curvature: 1 / radius }]);
}

/**
 * Two circles side by side, joined by straights that cross in the middle. It begins at the crossing
 * and turns left in the right circle, then right in the left one.
 * @param reach From the crossing to the middle of a circle, metres; more than the radius.
 */
function figureEight(reach: number, radius: number): Track {
  const slope = Math.asin(radius / reach);
  const straight = { length: Math.sqrt(reach ** 2 - radius ** 2), curvature: 0 };
  const turn = (Math.PI + 2 * slope) * radius;
  const half = (curvature: number) => [straight, { length: turn, curvature }, straight];
  const segments = [...half(1 / radius), ...half(-1 / radius)];
  const ring = 2 * straight.length + turn;
  return trackOf({ ...centre, yaw: -slope }, segments, ring);
}

/** The figures that simulated vehicles start on and example controllers drive, by their names. */
export const tracks = {
  oval: oval(1.5, 1.2),
  'figure-eight': figureEight(1.25, 0.7),
  circle: circle(1.4),
} as const satisfies Record<string, Track>;

/** Name of a track. */
export type TrackName = keyof typeof tracks;

/** `count` poses on a track with equal gaps on its ring; the first at its beginning. */
export function posesOnTrack(track: Track, count: number): Pose2D[] {
  const rings = Math.round(track.length / track.ring);
  return Array.from({ length: count }, (_, index) =>
    track.poseAt((index * track.ring) / count + (index % rings) * track.ring),
  );
}
