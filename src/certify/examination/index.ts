export { ControllerProcess } from './controller-process.js';
export { runCheck, type CheckResult } from './run-check.js';
