import { Option, type Command } from 'commander';

import type { helpEntries } from '../config/index.js';

/** Shows these flags in the help of a command. Commander only lists them; src/config reads them. */
export function listFlags(command: Command, entries: ReturnType<typeof helpEntries>): void {
  const plain = command.createHelp();
  command.configureHelp({
    visibleOptions: (shown) => [
      ...entries.map(({ term, description, heading }) =>
        new Option(term, description).helpGroup(`${heading}:`),
      ),
      ...plain.visibleOptions(shown),
    ],
  });
}
