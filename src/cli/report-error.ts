import { inspect } from 'node:util';

import { CommanderError } from 'commander';

import { HlcError } from '../errors/index.js';

/** The error as one of the catalogue. */
function fromCatalogue(error: unknown, command: string): HlcError {
  if (isUnknownFlag(error) && command !== 'run') {
    return new HlcError(error.code, { ...error.details, command }, { cause: error });
  }
  if (error instanceof HlcError) return error as HlcError;
  if (error instanceof CommanderError) {
    const cause = error.message.replace(/^error: |\.$/g, '').replaceAll('\n', ' ');
    return new HlcError('HLC_CONFIG_COMMAND', { cause });
  }
  const cause = error instanceof Error ? error.message : String(error);
  return new HlcError('HLC_UNEXPECTED', { cause }, { cause: error });
}

/** The reader of the flags does not know for which command it reads. */
function isUnknownFlag(error: unknown): error is HlcError<'HLC_CONFIG_UNKNOWN_NAME'> {
  if (!(error instanceof HlcError) || error.code !== 'HLC_CONFIG_UNKNOWN_NAME') return false;
  return (error as HlcError<'HLC_CONFIG_UNKNOWN_NAME'>).details.isFlag === true;
}

/**
 * The message for the user about an error, and the exit code of the process.
 * @param withStack adds where the error was thrown, and its causes.
 * @param command that was called, for example `gateway carla`.
 */
export function reportError(
  error: unknown,
  withStack: boolean,
  command = 'run',
): { readonly text: string; readonly exitCode: number } {
  const known = fromCatalogue(error, command);
  const stack = error instanceof Error && withStack ? `${inspect(error)}\n` : '';
  return {
    text: `hlc-middleware: ${known.message} [${known.code}]\n${stack}`,
    exitCode: known.exitCode,
  };
}
