import { HlcError } from '../../errors/index.js';
import { shorten, type Assignment } from './assignment.js';
import { flagName, kebabCase } from '../options/names.js';
import { readFlags } from './flags.js';
import { nearestName } from './nearest-name.js';
import type { Option } from '../options/option.js';
import { runOption, runOptionKeys, type RunOptionKey } from '../options/run-options.js';

const keysByFlag = new Map(runOptionKeys.map((key) => [kebabCase(key), key]));

/** The option of a flag in either spelling, without its dashes. */
export function keyOfFlag(name: string): RunOptionKey | undefined {
  return keysByFlag.get(name.replaceAll('_', '-'));
}

/** All flags without their dashes, for suggestions. */
export const flagNames: readonly string[] = [...keysByFlag.keys()];

/** The flags of `run` on a command line, and the other arguments. */
export interface CommandLine {
  readonly assignments: readonly Assignment[];
  readonly unknown: readonly UnknownArgument[];
}

/** An argument that is no flag of `run`, and its error. */
export interface UnknownArgument {
  readonly argument: string;
  /** `HLC_CONFIG_UNKNOWN_NAME` or `HLC_CONFIG_ARGUMENT`. */
  readonly error: HlcError;
}

/**
 * Splits a command line into assignments.
 * @throws HlcError `HLC_CONFIG_NO_VALUE`.
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { flags, others } = readFlags(argv, findRunOption);
  return {
    assignments: flags.map((flag) => ({ ...flag, origin: { kind: 'flag' } })),
    unknown: others.map(({ argument, name }) => ({
      argument,
      error: unknownArgument(argument, name),
    })),
  };
}

function unknownArgument(argument: string, name: string): HlcError {
  if (name === '') return new HlcError('HLC_CONFIG_ARGUMENT', { argument: shorten(argument) });
  const nearest = nearestName(name, flagNames);
  return new HlcError('HLC_CONFIG_UNKNOWN_NAME', {
    what: `flag ${shorten(argument)}`,
    isFlag: true,
    ...(nearest === undefined ? {} : { nearest: flagName(nearest) }),
  });
}

/** The option of a flag, without its dashes. */
export function findRunOption(name: string): readonly [RunOptionKey, Option<unknown>] | undefined {
  const key = keyOfFlag(name);
  return key === undefined ? undefined : [key, runOption(key)];
}
