export { HlcError } from '../errors/index.js';
export type { Transport } from '../ports/index.js';
export type { DomainNetwork } from '../dds/index.js';
export type {
  PathPoint,
  Pose2D,
  TrajectoryPoint,
  VehicleObservation,
  VehicleState,
} from '../messages/index.js';
export type {
  Command,
  DirectCommand,
  PathTrackingCommand,
  SpeedCurvatureCommand,
  TrajectoryCommand,
} from './command.js';
export type { Controller, ControllerOptions } from './controller-options.js';
export { createController } from './create-controller.js';
export type { Overrun, StepResult } from './step-runner.js';
export { StepAborted, type Step } from './step.js';
