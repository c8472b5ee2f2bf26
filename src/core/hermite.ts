/** A place and its derivative with respect to the curve's parameter. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  /** dx/du and dy/du. */
  readonly dx: number;
  readonly dy: number;
}

/** A place on a curve with both derivatives with respect to the curve's parameter. */
export interface CurveSample extends CurvePoint {
  /** d²x/du² and d²y/du². */
  readonly ddx: number;
  readonly ddy: number;
}

/**
 * The cubic Hermite curve between two points: it meets both places and both derivatives. CPM Lab
 * vehicles read trajectories (parameter: seconds) and paths (parameter: metres) like that.
 * @param length Length of the parameter's range, positive.
 * @param fraction Where on the curve: 0 at `from`, 1 at `to`.
 */
export function hermite(
  from: CurvePoint,
  to: CurvePoint,
  length: number,
  fraction: number,
): CurveSample {
  const x = hermiteCubic(from.x, from.dx, to.x, to.dx, length);
  const y = hermiteCubic(from.y, from.dy, to.y, to.dy, length);
  return {
    x: valueOf(x, fraction),
    y: valueOf(y, fraction),
    dx: slopeOf(x, fraction) / length,
    dy: slopeOf(y, fraction) / length,
    ddx: (2 * x.b + 6 * fraction * x.c) / length ** 2,
    ddy: (2 * y.b + 6 * fraction * y.c) / length ** 2,
  };
}

/** The length of a vector. `Math.hypot` allocates, and the rules work out many lengths in a period. */
export function magnitude(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** One coordinate of the curve: start + a u + b u² + c u³ with u from 0 to 1. */
export interface Cubic {
  readonly start: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** The cubic with these values at 0 and 1, and these slopes with respect to a parameter of that length. */
export function hermiteCubic(
  start: number,
  startSlope: number,
  end: number,
  endSlope: number,
  length: number,
): Cubic {
  return {
    start,
    a: startSlope * length,
    b: 3 * (end - start) - (2 * startSlope + endSlope) * length,
    c: 2 * (start - end) + (startSlope + endSlope) * length,
  };
}

export function valueOf({ start, a, b, c }: Cubic, u: number): number {
  return start + u * (a + u * (b + u * c));
}

/** The derivative with respect to u. */
export function slopeOf({ a, b, c }: Cubic, u: number): number {
  return a + u * (2 * b + 3 * u * c);
}
