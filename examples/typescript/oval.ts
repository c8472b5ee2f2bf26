// The figure: two straights and two half circles around the middle of a lab of 4.5 m × 4 m, driven
// counter-clockwise. A place on it is given in metres from the beginning of the lower straight.
const centre = { x: 2.25, y: 2 }; // m
const straight = 1.5; // m
const radius = 1.2; // m
const half = straight + Math.PI * radius;

/** Length of one round, metres. */
export const round = 2 * half;

/** The place on the oval that is nearest to a point (metres). */
export function placeOf(point: { readonly x: number; readonly y: number }): number {
  const x = point.x - centre.x;
  const y = point.y - centre.y;
  const otherHalf = Math.abs(x) > straight / 2 ? x < 0 : y > 0;
  return otherHalf ? half + placeOnHalf(-x, -y) : placeOnHalf(x, y);
}

/** The point of a place, and the heading there in radians. */
export function poseAt(place: number): { x: number; y: number; yaw: number } {
  const along = ((place % round) + round) % round;
  const otherHalf = along >= half;
  const onHalf = otherHalf ? along - half : along;
  const angle = Math.max(0, onHalf - straight) / radius;
  const side = otherHalf ? -1 : 1;
  return {
    x: centre.x + side * (Math.min(onHalf, straight) - straight / 2 + radius * Math.sin(angle)),
    y: centre.y - side * radius * Math.cos(angle),
    yaw: otherHalf ? angle - Math.PI : angle,
  };
}

/** How far `front` is ahead of `place`, 0 to one round, metres. */
export function gapTo(front: number, place: number): number {
  return (front - place + 2 * round) % round;
}

// The lower straight and the right half circle; the other half is the same, turned around.
function placeOnHalf(x: number, y: number): number {
  if (x <= straight / 2) return x + straight / 2;
  return straight + radius * Math.atan2(x - straight / 2, -y);
}
