import { catalogue, type ErrorCode, type ErrorDetails } from './catalogue/index.js';

/**
 * An error that a user can meet. Its `message` is the catalogue's sentence for its `code`, filled
 * in with the details, and says what to do; `exitCode` is the process exit code it stands for.
 */
export class HlcError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly exitCode: number;
  readonly details: ErrorDetails<C>;

  constructor(code: C, details: ErrorDetails<C>, options?: ErrorOptions) {
    const entry = catalogue[code];
    // The catalogue ties each code to its own details; the compiler cannot see that through `C`.
    const sentence = entry.sentence as (details: ErrorDetails<C>) => string;
    super(sentence(details), options);
    this.name = 'HlcError';
    this.code = code;
    this.exitCode = entry.exitCode;
    this.details = details;
  }
}

/** True for an error of the catalogue. */
export function isHlcError(error: unknown): error is HlcError {
  return error instanceof HlcError;
}
