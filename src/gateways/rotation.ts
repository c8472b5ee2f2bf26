/** The heading of a rotation, radians; z points upwards. e0 is the real part; of any length but 0. */
export function yawOf([e0 = 0, e1 = 0, e2 = 0, e3 = 0]: readonly number[]): number {
  return Math.atan2(2 * (e0 * e3 + e1 * e2), e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3);
}
