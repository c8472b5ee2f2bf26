export { catalogue, type ErrorCode, type ErrorDetails } from './catalogue.js';
export { ExitCode } from './exit-codes.js';
export { HlcError, isHlcError } from './hlc-error.js';
