import { HlcError } from '../../errors/index.js';
import { flagName } from '../options/names.js';
import type { Option } from '../options/option.js';

/** A flag with its value, as text. */
export interface Flag<K extends string> {
  readonly key: K;
  readonly text: string;
}

/** An argument that is no flag of the table. */
export interface OtherArgument {
  readonly argument: string;
  /** Name of the flag without its dashes; empty when the argument does not look like one. */
  readonly name: string;
}

/**
 * Reads the flags of a command line: `--name=value`, `--name value`, and `--name` alone for
 * true-or-false flags, which take the next argument only if it is such a value. A value that begins with `--` needs the `=`.
 * @param find the option of a flag, whose name has no dashes before it; undefined when there is none.
 * @throws HlcError `HLC_CONFIG_NO_VALUE`.
 */
export function readFlags<K extends string>(
  argv: readonly string[],
  find: (name: string) => readonly [K, Option<unknown>] | undefined,
): { readonly flags: readonly Flag<K>[]; readonly others: readonly OtherArgument[] } {
  const flags: Flag<K>[] = [];
  const others: OtherArgument[] = [];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? '';
    const [, dashes, name = '', equalsValue] = /^(--?)([^-=][^=]*)(=[^]*)?$/.exec(argument) ?? [];
    const found = dashes === '--' ? find(name) : undefined;
    if (found === undefined) {
      others.push({ argument, name });
      continue;
    }
    const [key, option] = found;
    const next = argv[index + 1];
    const takesNext = equalsValue === undefined && next !== undefined && isValue(next, option);
    if (takesNext) index++;
    flags.push({
      key,
      text: (takesNext ? next : equalsValue?.slice(1)) ?? alone(key, option),
    });
  }
  return { flags, others };
}

/** True when an argument after a flag is its value; after one that may stand alone it may be another. */
function isValue(argument: string, { value }: Option<unknown>): boolean {
  if (value.mayStandAlone === true) return value.schema.safeParse(argument).success;
  return !argument.startsWith('--');
}

/** The value of a flag without one. */
function alone(key: string, { value }: Option<unknown>): string {
  if (value.mayStandAlone === true) return 'true';
  throw new HlcError('HLC_CONFIG_NO_VALUE', { name: flagName(key), rule: value.rule });
}
