export { controllerRequest, labRequest } from './open-sides.js';
export { runMiddleware, type RunHooks } from './host.js';
export type { ControllerSummary, Quantiles, RunSummary, VehicleSummary } from './run-statistics.js';
