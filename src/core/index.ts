export {
  type CheckPolicy,
  type CommandRules,
  cpmLabCommandRules,
  defaultCommandRules,
  policyForAll,
} from './check-policy.js';
export { type ClockReading, earlier, later } from './clock-reading.js';
export { checkCommand, type CheckSettings } from './command-checks.js';
export type * from './command.js';
export { firstNotFinite } from './command-content.js';
export type { ControllerReport } from './controllers.js';
export type * from './effects.js';
export { Guard, type GuardConfig, type GuardEffect } from './guard/guard.js';
export type * from './guard/reports.js';
export { TakenOverStops } from './guard/taken-over-stops.js';
export { type CurvePoint, type CurveSample, hermite } from './hermite.js';
export type { LockStepConfig, ReplyTimeoutRule, TimeSource } from './lock-step-config.js';
export { LockStepSession } from './lock-step-session.js';
export type { LockStepEvent, LockStepPhase } from './lock-step-table.js';
export type { OverrunPolicy } from './pacing.js';
export { printable } from './printable.js';
export { controllerIdOf, controllerSourceId } from './readiness.js';
export { realTimeGrid } from './period-grid.js';
export { defaultJudgeDelay, type RealTimeConfig } from './real-time-config.js';
export { type RealTimeEvent, type RealTimePhase, RealTimeSession } from './real-time-session.js';
export type { Miss, ReplyTally } from './reply-monitor.js';
export type { ControllerState } from './roster.js';
export type { SessionConfig } from './session-config.js';
export type * from './session-events.js';
export type { Session } from './session.js';
export type { StartSlot } from './start-plan.js';
export type { SentCommands, StandStill, StopConfig } from './stop/stop-authority.js';
export { defaultStopAfter, type StopBudget, stopBudget } from './stop/stop-budget.js';
export type { MotionSample } from './stop/vehicle-motion.js';
export type { StepControl } from './step-gate.js';
export { StaleVehicles, type StalenessChange } from './stale-vehicles.js';
export { STOP_SYMBOL } from './system-trigger.js';
export type { WriterId } from './supervision/identities.js';
export {
  loggedOnly,
  type MissPolicy,
  type ResumePolicy,
  type SupervisionConfig,
  type SupervisionRule,
} from './supervision/miss-policy.js';
export { obeyedCommand, withoutOutranked } from './vehicle-obedience.js';
export { cpmLabVehicle, type VehicleProfile } from './vehicle-profile.js';
export { checkCodes, type CheckName, explainViolation, type Violation } from './violation.js';
export type { AbsentVehicle, PresentVehicle, VehicleSample, WorldEntry } from './world.js';
