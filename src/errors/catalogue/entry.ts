import type { ExitCode } from '../exit-codes.js';

/** What the catalogue says of one error. */
export interface CatalogueEntry<D> {
  /** Process exit code when this error ends the program. */
  readonly exitCode: ExitCode;
  /** One sentence: what happened, and what to do. */
  readonly sentence: (details: D) => string;
}

export function entry<D>(exitCode: ExitCode, sentence: (details: D) => string): CatalogueEntry<D> {
  return { exitCode, sentence };
}
