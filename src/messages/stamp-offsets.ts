/**
 * Where the times of samples stand, in bytes from the begin of the sample with its encapsulation
 * header (plain CDR version 1; each is an unsigned 64-bit integer, little endian).
 */

/** `VehicleStateList.t_now`. */
export const startSignalTimeOffset = 4;

/** `MiddlewareStatus.stamp`. */
export const middlewareStatusStampOffset = 12;

/** `header.create_stamp` and `header.valid_after_stamp` of the four vehicle commands. */
export const commandStampOffsets = { create: 12, validAfter: 20 } as const;

const firstPointOffset = 36;
const pointBytes = 40;

/** `trajectory_points[index].t` of `VehicleCommandTrajectory`. */
export function trajectoryTimeOffset(index: number): number {
  return firstPointOffset + index * pointBytes;
}
