export { HlcError } from '../../errors/index.js';
export type { Transport } from '../../ports/index.js';
export type { Pose2D } from '../../messages/index.js';
export { createVehicles } from './create-vehicles.js';
export type { VehicleMeasurement } from './vehicle-messages.js';
export type {
  ProfileOptions,
  SimulatedSteps,
  VehicleCommand,
  Vehicles,
  VehiclesOptions,
} from './vehicles-options.js';
