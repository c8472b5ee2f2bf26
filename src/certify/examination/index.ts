export { ControllerProcess } from './controller-process.js';
export { listenForOtherMiddleware } from './other-middleware.js';
export { runExamination, type CertificationResult } from './run-examination.js';
