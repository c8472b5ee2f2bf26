export { LabProcess } from './child-process.js';
export { orphanWatch } from './orphan-watch.js';
export { DemoLab, privateLabUri } from './demo-lab.js';
export {
  Disturbances,
  RandomStream,
  undisturbed,
  type DisturbanceSettings,
} from './disturbance/index.js';
export { joinSide, type SideMembership } from './join-side.js';
export { runDriver, type DriverRun } from './run-driver.js';
export { runLabControl, type LabControlRun } from './run-lab-control.js';
export { runFleet, type FleetRun } from './run-fleet.js';
export {
  startFleet,
  type Fleet,
  type FleetEvent,
  type FleetOptions,
  type VehicleReport,
} from './fleet.js';
export { stepBicycle } from './bicycle-model.js';
export { trackCommand } from './command-tracker.js';
export { modelCar } from './model-car.js';
export { createSystemClock, type LabClock } from './lab-clock.js';
export { SimulatedClock } from './simulated-clock.js';
export { SimulatedVehicle } from './simulated-vehicle.js';
export { posesOnTrack, tracks, type Track, type TrackName } from './track/index.js';
export { driveAlong } from './track-driver.js';
export { LabConsole } from './control/console.js';
export { createLabControl } from './control/lab-control.js';
export type { LabControlEvent } from './control/events.js';
export type {
  LabControl,
  LabControlOptions,
  RealTimeControl,
  SimulatedTimeControl,
  SimulatedTimeOptions,
} from './control/options.js';
export {
  middlewareParameters,
  type ParameterValue,
  type ServedParameter,
} from './control/parameters.js';
export type { Participant, ParticipantState } from './control/participants.js';
