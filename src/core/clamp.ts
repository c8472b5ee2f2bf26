/** `value`, or the nearer end of `least` to `most` when it lies outside. */
export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
