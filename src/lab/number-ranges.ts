/**
 * The same direction as an angle from −π (not included) to π (included).
 * @param angle Radians, finite.
 */
export function wrapAngle(angle: number): number {
  const wrapped = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  return wrapped <= -Math.PI ? wrapped + 2 * Math.PI : wrapped;
}

/** `value`, or the nearer end of `low` to `high` when it lies outside. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
