import { parseRunConfig, type Presets, type RunConfig } from '../../../src/config/index.js';
import { HlcError } from '../../../src/errors/index.js';

/** What surrounds a command line in a test. */
export interface Surroundings {
  readonly environment?: Record<string, string>;
  /** Files by path. */
  readonly files?: Record<string, string>;
  readonly presets?: Presets;
}

/** Parses a command line whose arguments have blanks between them. */
export const parse = (commandLine: string, surroundings: Surroundings = {}): RunConfig =>
  parseArguments(commandLine.split(' ').filter(Boolean), surroundings);

export const parseArguments = (
  argv: readonly string[],
  { environment = {}, files = {}, presets = {} }: Surroundings = {},
): RunConfig =>
  parseRunConfig(
    argv,
    environment,
    (path) => {
      const text = Object.hasOwn(files, path) ? files[path] : undefined;
      if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
      return text;
    },
    presets,
  );

/** The error that the action throws, as code and sentence. */
export const refusalOf = (action: () => unknown): { code: string; sentence: string } => {
  try {
    action();
  } catch (error) {
    if (!(error instanceof HlcError)) throw error;
    const { code, message } = error as HlcError;
    return { code, sentence: message };
  }
  throw new Error('nothing was refused');
};

/** The refusal of a command line. */
export const refusal = (
  commandLine: string,
  surroundings?: Surroundings,
): { code: string; sentence: string } => refusalOf(() => parse(commandLine, surroundings));
