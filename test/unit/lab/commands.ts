import { tracks } from '../../../src/lab/index.js';
import type { Header, PathPoint } from '../../../src/messages/index.js';
import type { VehicleCommand } from '../../../src/sides/index.js';

/** A header made and valid at the same time by default. */
export function header(createNs: bigint, validAfterNs = createNs): Header {
  return {
    create_stamp: { nanoseconds: createNs },
    valid_after_stamp: { nanoseconds: validAfterNs },
  };
}

/** A command to drive straight at a speed (m/s). */
export function straight(speed: number, createNs: bigint, validAfterNs = createNs): VehicleCommand {
  return {
    kind: 'speedCurvature',
    message: { vehicle_id: 1, header: header(createNs, validAfterNs), speed, curvature: 0 },
  };
}

/** The oval as a closed path. */
export function ovalPath(segments: number): PathPoint[] {
  return Array.from({ length: segments + 1 }, (_, index) => ({
    pose: tracks.oval.poseAt(((index % segments) * tracks.oval.length) / segments),
    s: (index * tracks.oval.length) / segments,
  }));
}
