/**
 * Where fields of samples stand, in bytes from the begin of the sample with its encapsulation header
 * (plain CDR version 1, little endian). Times are unsigned 64-bit integers, speeds 64-bit floats.
 */

/** `VehicleStateList.t_now`. */
export const startSignalTimeOffset = 4;

/** `MiddlewareStatus.stamp`. */
export const middlewareStatusStampOffset = 12;

/** `header.create_stamp` and `header.valid_after_stamp` of the four vehicle commands. */
export const commandStampOffsets = { create: 12, validAfter: 20 } as const;

/** After the stamps and the number of points. */
const firstPointOffset = 36;
const trajectoryPointBytes = 40;
const pathPointBytes = 32;

/** `trajectory_points[index].t` of `VehicleCommandTrajectory`. */
export function trajectoryTimeOffset(index: number): number {
  return firstPointOffset + index * trajectoryPointBytes;
}

/** `speed` of a `VehicleCommandPathTracking` with this many points. */
export function pathSpeedOffset(points: number): number {
  return firstPointOffset + points * pathPointBytes;
}
