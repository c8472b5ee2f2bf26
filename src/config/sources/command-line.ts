import { HlcError } from '../../errors/index.js';
import { shorten, type Assignment } from './assignment.js';
import { flagName, kebabCase } from '../options/names.js';
import { nearestName } from './nearest-name.js';
import { runOption, runOptionKeys, type RunOptionKey } from '../options/run-options.js';

const keysByFlag = new Map(runOptionKeys.map((key) => [kebabCase(key), key]));

/** The option of a flag in either spelling, without its dashes. */
export const keyOfFlag = (name: string): RunOptionKey | undefined =>
  keysByFlag.get(name.replaceAll('_', '-'));

/** All flags without their dashes, for suggestions. */
export const flagNames: readonly string[] = [...keysByFlag.keys()];

/** What a command line says. */
export interface CommandLine {
  readonly assignments: readonly Assignment[];
  /** What is no flag of this program. */
  readonly unknown: readonly UnknownArgument[];
}

/** An argument that is no flag of this program, and the error that it is. */
export interface UnknownArgument {
  readonly argument: string;
  /** `HLC_CONFIG_UNKNOWN_NAME` or `HLC_CONFIG_ARGUMENT`. */
  readonly error: HlcError;
}

/**
 * Splits a command line into assignments: `--name=value`, `--name value`, and `--name` alone for
 * true-or-false flags. A value that begins with `--` needs the `=`.
 * @throws HlcError `HLC_CONFIG_NO_VALUE`.
 */
export const readCommandLine = (argv: readonly string[]): CommandLine => {
  const assignments: Assignment[] = [];
  const unknown: UnknownArgument[] = [];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? '';
    const [, dashes, name = '', equalsValue] = /^(--?)([^-=][^=]*)(=[^]*)?$/.exec(argument) ?? [];
    const key = dashes === '--' ? keyOfFlag(name) : undefined;
    if (key === undefined) {
      unknown.push({ argument, error: unknownArgument(argument, name) });
      continue;
    }
    let text = equalsValue?.slice(1);
    const next = argv[index + 1];
    if (text === undefined && next !== undefined && !next.startsWith('--')) {
      text = next;
      index++;
    }
    if (text === undefined) {
      const { value } = runOption(key);
      if (value.mayStandAlone !== true) {
        throw new HlcError('HLC_CONFIG_NO_VALUE', { name: flagName(key), rule: value.rule });
      }
      text = 'true';
    }
    assignments.push({ key, text, origin: { kind: 'flag' } });
  }
  return { assignments, unknown };
};

/** @param name of the flag; empty when the argument does not look like one. */
const unknownArgument = (argument: string, name: string): HlcError => {
  if (name === '') return new HlcError('HLC_CONFIG_ARGUMENT', { argument: shorten(argument) });
  const nearest = nearestName(name, flagNames);
  return new HlcError('HLC_CONFIG_UNKNOWN_NAME', {
    what: `flag ${shorten(argument)}`,
    ...(nearest === undefined ? {} : { nearest: flagName(nearest) }),
  });
};
