import type { Pose2D } from '../messages/index.js';
import type { Vehicles } from '../sides/index.js';

/** Where a vehicle of another protocol is. */
export interface UnseenVehicle {
  readonly vehicleId: number;
  readonly pose: Pose2D;
  /** m/s. */
  readonly speed: number;
  /** Driven so far, metres. */
  readonly distance: number;
}

/** Publishes the state of a vehicle of another protocol, which no positioning system sees. */
export function publishUnseen(
  vehicles: Pick<Vehicles, 'publish'>,
  { vehicleId, pose, speed, distance }: UnseenVehicle,
): void {
  vehicles.publish({ vehicleId, pose, speed, odometer_distance: distance, observation: null });
}
