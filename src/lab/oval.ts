import type { Pose2D } from '../messages/index.js';
import { wrapAngle } from './angle.js';

/**
 * The figure that the example controllers drive, counter-clockwise: two straights and two half
 * circles around the middle of a lab of 4.5 m × 4 m. It leaves 0.3 m to the sides.
 */
const oval = {
  /** Middle of the figure, metres. */
  centreX: 2.25,
  centreY: 2,
  /** Length of each straight, metres; they lie along the x axis. */
  straight: 1.5,
  /** Radius of the half circles, metres. */
  radius: 1.2,
} as const;

/** Length of one round, metres. */
export const ovalLength = 2 * oval.straight + 2 * Math.PI * oval.radius;

/**
 * The pose on the oval, heading along it.
 * @param s Metres from the beginning of the lower straight; more than a round goes around again.
 */
export function ovalPose(s: number): Pose2D {
  const half = ovalLength / 2;
  const onRound = ((s % ovalLength) + ovalLength) % ovalLength;
  const upperHalf = onRound >= half;
  const u = upperHalf ? onRound - half : onRound;
  const angle = (u - oval.straight) / oval.radius;
  // The pose on the lower straight and the right half circle, relative to the centre.
  const pose =
    u < oval.straight
      ? { x: u - oval.straight / 2, y: -oval.radius, yaw: 0 }
      : {
          x: oval.straight / 2 + oval.radius * Math.sin(angle),
          y: -oval.radius * Math.cos(angle),
          yaw: angle,
        };
  const side = upperHalf ? -1 : 1;
  return {
    x: oval.centreX + side * pose.x,
    y: oval.centreY + side * pose.y,
    yaw: wrapAngle(pose.yaw + (upperHalf ? Math.PI : 0)),
  };
}

/** `count` poses on the oval with equal gaps; the first at the beginning of the lower straight. */
export function posesOnOval(count: number): Pose2D[] {
  return Array.from({ length: count }, (_, index) => ovalPose((index * ovalLength) / count));
}
