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
