export { runCheck, type CheckResult } from './run-check.js';
