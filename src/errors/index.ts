export { catalogue, errorAreas, type ErrorCode, type ErrorDetails } from './catalogue/index.js';
export { ExitCode, signalExitCodes, type EndSignal } from './exit-codes.js';
export { HlcError, isHlcError } from './hlc-error.js';
export { countOf, namedIds } from './in-words.js';
