import { HlcError } from '../../errors/index.js';
import { shorten } from './assignment.js';
import { flagNames, keyOfFlag } from './command-line.js';
import { flagName, kebabCase } from '../options/names.js';
import { readFlags } from './flags.js';
import { nearestName } from './nearest-name.js';
import type { Option } from '../options/option.js';

/** The options of one command beside those of `run`. They are flags only. */
export type CommandOptions = Readonly<Record<string, Option<unknown>>>;

/** The values of all options of a table, with the defaults filled in. */
export type CommandValues<T extends CommandOptions> = {
  readonly [K in keyof T]: T[K] extends Option<infer V>
    ? T[K] extends { default: string }
      ? V
      : V | undefined
    : never;
};

/**
 * Reads the flags of a command from its arguments, in the same spellings as those of `run`.
 * @returns the values, and the arguments that are left for `run`.
 * @throws HlcError `HLC_CONFIG_VALUE`, `HLC_CONFIG_NO_VALUE`, `HLC_CONFIG_CONFLICT`; or
 *   `HLC_CONFIG_UNKNOWN_NAME` for a flag that is nearest to one of these.
 */
export function parseCommandOptions<T extends CommandOptions>(
  table: T,
  argv: readonly string[],
): { readonly values: CommandValues<T>; readonly rest: readonly string[] } {
  const options = new Map(
    Object.entries(table).map(([key, option]) => [kebabCase(key), [key, option] as const]),
  );
  const { flags, others } = readFlags(argv, (name) => options.get(name.replaceAll('_', '-')));
  for (const { argument, name } of others) refuseMisspelt(name, argument, [...options.keys()]);
  const texts = new Map<string, string>();
  for (const { key, text } of flags) {
    const earlier = texts.get(key) ?? text;
    if (earlier !== text) {
      const [first = '', second = ''] = [earlier, text].map(
        (one) => `${flagName(key)}=${shorten(one)}`,
      );
      throw new HlcError('HLC_CONFIG_CONFLICT', { first, second });
    }
    texts.set(key, text);
  }
  const values = Object.entries(table).map(([key, option]) => [
    key,
    valueOf(key, option, texts.get(key) ?? option.default),
  ]);
  // The object is made from the table, which the type system cannot follow.
  return {
    values: Object.fromEntries(values) as CommandValues<T>,
    rest: others.map(({ argument }) => argument),
  };
}

function valueOf(key: string, { value }: Option<unknown>, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const result = value.schema.safeParse(text);
  if (result.success) return result.data;
  const nearest = nearestName(text, value.words ?? []);
  throw new HlcError('HLC_CONFIG_VALUE', {
    name: flagName(key),
    value: shorten(text),
    rule: value.rule,
    ...(nearest === undefined ? {} : { nearest }),
  });
}

/** A flag that is none of `run` either, and that is nearest to one of this command. */
function refuseMisspelt(name: string, argument: string, own: readonly string[]): void {
  if (name === '' || keyOfFlag(name) !== undefined) return;
  const nearest = nearestName(name, [...own, ...flagNames]);
  if (nearest === undefined || !own.includes(nearest)) return;
  throw new HlcError('HLC_CONFIG_UNKNOWN_NAME', {
    what: `flag ${shorten(argument)}`,
    isFlag: true,
    nearest: `--${nearest}`,
  });
}
