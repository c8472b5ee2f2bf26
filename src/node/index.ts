export { findingReport, findingReportSchema } from './finding-report.js';
export { labRequest } from './middleware/open-sides.js';
export { runMiddleware, type RunHooks, type RunningNode } from './host/host.js';
export type {
  ControllerSummary,
  Quantiles,
  RunSummary,
  VehicleSummary,
} from './observers/run-summary.js';
export { EmergencyExit } from './host/emergency-exit.js';
export { logTarget } from './host/host.js';
export { Output } from './host/output.js';
export { watchSignals } from './host/signals.js';
export { createLog, type Logger } from './logger.js';
export { createToKeep, emergencySample } from './middleware/emergency-sample.js';
export { HeldUpStops } from './middleware/held-up-stops.js';
export { LabLog } from './middleware/lab-log.js';
export { LatchFile, readLatchFile, SentRecord } from './middleware/latch-file.js';
export { readClocks } from './middleware/read-clocks.js';
export { stopConfig } from './middleware/session-factory.js';
export { RateLimiter } from './observers/rate-limiter.js';
export { logMovesAgain, logStillMoving, logVehicleStopped } from './observers/stop-log.js';
