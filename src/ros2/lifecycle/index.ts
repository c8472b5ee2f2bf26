export { LifeCycle, type LifecycleWork } from './life-cycle.js';
export type { LifecycleOutcome, LifecycleState, LifecycleTransition } from './states.js';
