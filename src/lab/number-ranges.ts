/**
 * The same direction as an angle from −π (not included) to π (included).
 * @param angle Radians, finite.
 */
export function wrapAngle(angle: number): number {
  const wrapped = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  return wrapped <= -Math.PI ? wrapped + 2 * Math.PI : wrapped;
}
