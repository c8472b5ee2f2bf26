import type { Command } from 'commander';

import { checkNames, helpEntries, parseRunConfig } from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { exitCodeHelp } from './exit-code-help.js';
import { takeFlags } from './take-flags.js';

const lineLength = 78;

/** Words with commas between them, in lines that fit a terminal. */
function inLines(words: readonly string[]): string {
  return words
    .reduce<string[]>((lines, word) => {
      const last = lines.at(-1);
      const longer = last === undefined ? word : `${last}, ${word}`;
      return longer.length <= lineLength ? [...lines.slice(0, -1), longer] : [...lines, word];
    }, [])
    .join(',\n');
}

const notes = `
Every flag has a spelling with underscores (--vehicle_ids=1,2), an environment variable
(HLC_MIDDLEWARE_VEHICLE_IDS=1,2) and a key in the file of --config (vehicle-ids: [1, 2]).
A flag overrides the environment, and the environment overrides the file.

--check-policy applies to all checks of commands. The file can set the policy of single checks, for
example "checks: { notFinite: reject, createdInFuture: flag }". The checks are
${inLines(checkNames)}.
`;

/** `hlc-middleware run`: one middleware process. */
export function addRunCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('run')
    .summary('run the middleware between controllers and vehicles')
    .description(
      'Waits for all controllers, then sends them the states of all vehicles in every period, checks their commands and forwards them to the vehicles.',
    )
    .addHelpText('after', notes + exitCodeHelp)
    .action(async () => {
      const config = parseRunConfig(command.args, context.environment, context.readFile);
      if (['debug', 'trace'].includes(config.output.logLevel)) context.showStacks();
      context.setExitCode(await context.runMiddleware(config));
    });
  takeFlags(command, helpEntries());
}
