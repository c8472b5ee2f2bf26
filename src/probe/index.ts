export { runCheck, type CheckResult } from './run-check.js';
export type { ExaminationOptions } from './examination.js';
