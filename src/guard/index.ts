export { runGuard } from './run-guard.js';
