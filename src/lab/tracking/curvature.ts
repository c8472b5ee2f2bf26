import type { CurveSample } from '../../core/index.js';

/** Curvature of the curve at a sample, 1/m, a left turn is positive; 0 where the curve rests. */
export function curvatureAt(sample: CurveSample): number {
  const slope = Math.hypot(sample.dx, sample.dy);
  if (slope < 1e-6) return 0;
  return (sample.dx * sample.ddy - sample.dy * sample.ddx) / slope ** 3;
}
