import { Option, type Command } from 'commander';

import type { helpEntries } from '../config/index.js';

/**
 * Lets a command take flags that commander does not read but src/config, and shows them in its help.
 * @param usage what stands after the name of the command in the first line of the help
 */
export function takeFlags(
  command: Command,
  entries: ReturnType<typeof helpEntries>,
  usage = '[flags]',
): void {
  const plain = command.createHelp();
  command
    .usage(usage)
    .allowUnknownOption()
    .allowExcessArguments()
    .configureHelp({
      visibleOptions: (shown) => [
        ...entries.map(({ term, description, heading }) =>
          new Option(term, description).helpGroup(`${heading}:`),
        ),
        ...plain.visibleOptions(shown),
      ],
    });
}
