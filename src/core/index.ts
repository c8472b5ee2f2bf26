export {
  type CheckPolicy,
  type CommandRules,
  cpmLabCommandRules,
  defaultCommandRules,
  policyForAll,
} from './check-policy.js';
export { clamp } from './clamp.js';
export { checkCommand, type CheckSettings, hasUnusableStamp, latestNs } from './command-checks.js';
export type * from './command.js';
export { commandKinds, createStampOf, motionFromOf, validAfterOf } from './command.js';
export { firstNotFinite } from './command-content.js';
export type { ControllerReport } from './controllers.js';
export type * from './effects.js';
export { forgetOldest } from './forget-oldest.js';
export { Guard, type GuardConfig } from './guard/guard.js';
export type { GuardEffect } from './guard/guard-effects.js';
export type * from './guard/reports.js';
export { TakenOverStops } from './guard/taken-over-stops.js';
export { guardAfter, shortestGuardAfter } from './guard/watched-session.js';
export { type CurvePoint, type CurveSample, hermite } from './hermite.js';
export { LifeCycle, type LifecycleWork } from './life-cycle/life-cycle.js';
export {
  allTransitions,
  commandMeant,
  type LifecycleOutcome,
  type LifecycleTransition,
  stateIds,
  transitionsFrom,
} from './life-cycle/states.js';
export { LockStepSession } from './lock-step-session.js';
export type { LockStepEvent, LockStepPhase } from './lock-step-table.js';
export type { OverrunPolicy } from './pacing.js';
export { printable } from './printable.js';
export { controllerIdOf, controllerSourceId, maxVehicleId } from './readiness.js';
export { realTimeGrid } from './period-grid.js';
export { type RealTimeEvent, type RealTimePhase, RealTimeSession } from './real-time-session.js';
export { RecentKeys } from './recent-keys.js';
export type { Miss, ReplyTally } from './reply-monitor.js';
export type { ControllerState } from './roster.js';
export {
  defaultJudgeDelay,
  type LockStepConfig,
  type RealTimeConfig,
  type ReplyTimeoutRule,
  type SessionConfig,
  type TimeSource,
} from './session-config.js';
export type * from './session-events.js';
export { stopSymbol } from './session-events.js';
export type { Session } from './session.js';
export {
  cpmLabLatestStart,
  defaultLatestStart,
  startGrace,
  type StartSlot,
  type StartSlots,
} from './start-plan.js';
export type { PreparedStop, StandStill } from './stop/stand-still.js';
export type { SentCommands, StopConfig } from './stop/supervised-vehicle.js';
export { defaultStopAfter, type StopBudget, stopBudget } from './stop/stop-budget.js';
export type { StampedMotion } from './stop/vehicle-motion.js';
export type { StepControl } from './step-gate.js';
export { StaleVehicles, type StalenessChange } from './stale-vehicles.js';
export type { WriterId } from './supervision/identities.js';
export {
  type LatchedVehicle,
  type MissPolicy,
  type ResumePolicy,
  type SupervisionConfig,
  type SupervisionRule,
} from './supervision/miss-policy.js';
export {
  cpmLabVehicle,
  obeyedCommand,
  type VehicleProfile,
  withoutOutranked,
} from './vehicle-obedience.js';
export { checkCodes, type CheckName, explainViolation, type Violation } from './violation.js';
export { type ClockReading, earlier, later, nsPerMs, nsPerS, nsPerUs, toMs, toS } from './time.js';
export type { AbsentVehicle, PresentVehicle, VehicleSample, WorldEntry } from './world.js';
