export { ControllerProcess } from './controller-process.js';
export { listenForOtherMiddleware } from './other-middleware.js';
export { runCheck, type CheckResult } from './run-check.js';
