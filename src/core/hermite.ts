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
  const x = hermite1d(from.x, from.dx, to.x, to.dx, length, fraction);
  const y = hermite1d(from.y, from.dy, to.y, to.dy, length, fraction);
  return {
    x: x.value,
    y: y.value,
    dx: x.slope,
    dy: y.slope,
    ddx: x.bend,
    ddy: y.bend,
  };
}

/** The length of a vector. `Math.hypot` allocates, and the rules work out many lengths in a period. */
export function magnitude(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

function hermite1d(
  start: number,
  startSlope: number,
  end: number,
  endSlope: number,
  length: number,
  u: number,
): { value: number; slope: number; bend: number } {
  // value(u) = start + a u + b u² + c u³ with u from 0 to 1, from the four conditions.
  const a = startSlope * length;
  const b = 3 * (end - start) - (2 * startSlope + endSlope) * length;
  const c = 2 * (start - end) + (startSlope + endSlope) * length;
  return {
    value: start + u * (a + u * (b + u * c)),
    slope: (a + u * (2 * b + 3 * u * c)) / length,
    bend: (2 * b + 6 * u * c) / length ** 2,
  };
}
