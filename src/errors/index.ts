export { catalogue, type ErrorCode, type ErrorDetails } from './catalogue.js';
export { ExitCode, signalExitCodes, type EndSignal } from './exit-codes.js';
export { HlcError, isHlcError } from './hlc-error.js';
