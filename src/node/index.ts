export { findingReport, findingReportSchema } from './finding-report.js';
export { controllerRequest, labRequest } from './middleware/open-sides.js';
export { runMiddleware, type RunHooks } from './host/host.js';
export type {
  ControllerSummary,
  Quantiles,
  RunSummary,
  VehicleSummary,
} from './observers/run-statistics.js';
