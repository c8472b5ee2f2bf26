import { inspect } from 'node:util';

import { CommanderError } from 'commander';

import { HlcError } from '../errors/index.js';

/** The error as one of the catalogue. */
function fromCatalogue(error: unknown): HlcError {
  if (error instanceof HlcError) return error as HlcError;
  if (error instanceof CommanderError) {
    const cause = error.message.replace(/^error: |\.$/g, '').replaceAll('\n', ' ');
    return new HlcError('HLC_CONFIG_COMMAND', { cause });
  }
  const cause = error instanceof Error ? error.message : String(error);
  return new HlcError('HLC_UNEXPECTED', { cause }, { cause: error });
}

/**
 * The message for the user about an error, and the exit code of the process.
 * @param withStack adds where the error was thrown, and its causes.
 */
export function reportError(
  error: unknown,
  withStack: boolean,
): { readonly text: string; readonly exitCode: number } {
  const known = fromCatalogue(error);
  const stack = error instanceof Error && withStack ? `${inspect(error)}\n` : '';
  return {
    text: `hlc-middleware: ${known.message} [${known.code}]\n${stack}`,
    exitCode: known.exitCode,
  };
}
