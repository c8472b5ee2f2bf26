import type { CommandOptions } from '../sources/command-options.js';
import { flagName } from '../options/names.js';
import type { Option } from '../options/option.js';
import { runOption, runOptionKeys } from '../options/run-options.js';

/** One flag as the help shows it. */
interface HelpEntry {
  readonly heading: string;
  /** Flag and value, for example `--period-ms <ms>`. */
  readonly term: string;
  readonly description: string;
}

/** The flags of `hlc-middleware run` in the order of the help. */
export function helpEntries(): HelpEntry[] {
  return runOptionKeys.map((key) => helpEntry(key, runOption(key)));
}

/** The flags that a command has beside those of `run`. */
export function commandHelpEntries(table: CommandOptions): HelpEntry[] {
  return Object.entries(table).map(([key, option]) => helpEntry(key, option));
}

function helpEntry(key: string, option: Option<unknown>): HelpEntry {
  return {
    heading: option.group,
    term: `${flagName(key)} ${option.value.placeholder}`,
    description: `${option.meaning} (${remarks(option).join('; ')})`,
  };
}

function remarks(option: Option<unknown>): string[] {
  const { value } = option;
  const byDefault = option.default ?? option.otherwise ?? 'none';
  return [...(value.range === undefined ? [] : [value.range]), `default: ${byDefault}`];
}
