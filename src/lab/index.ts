export { privateLabUri, startDemoLab, type DemoLabOptions } from './demo-lab.js';
export { runFleet } from './run-fleet.js';
export {
  startFleet,
  type Fleet,
  type FleetEvent,
  type FleetOptions,
  type VehicleReport,
} from './fleet.js';
export { createSystemClock, type LabClock } from './lab-clock.js';
export { ovalLength, ovalPose, posesOnOval } from './oval.js';
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
