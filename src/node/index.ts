export { controllerNetwork, sideNetwork, type SideNetworkRequest } from './lab-network.js';
export { ourSide } from './our-sides.js';
export { labRequest } from './open-sides.js';
export { runMiddleware, type RunHooks } from './run-middleware.js';
export type { ControllerSummary, Quantiles, RunSummary, VehicleSummary } from './run-statistics.js';
export { createSide, type Side } from './side.js';
