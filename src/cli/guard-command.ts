import type { Command } from 'commander';

import {
  commandHelpEntries,
  guardOptions,
  parseCommandOptions,
  parseRunConfig,
} from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { exitCodeHelp } from './exit-code-help.js';
import { takeFlags } from './take-flags.js';

/** `hlc-middleware guard`: stops the vehicles when their middleware fails. */
export function addGuardCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('guard')
    .summary('stop the vehicles when their middleware fails')
    .description(
      'Watches the status of the middlewares of a lab side, and sends no commands while it arrives. When the status of one is silent for --guard-after-ms, brings its vehicles to rest, and holds them until a middleware has latched them. Takes the flags of "run" and uses those of the lab side, of the vehicles, of the log, --node-id, --period-ms and --control-socket; use the same ones as for the middleware. It also takes this flag:',
    )
    .addHelpText('after', exitCodeHelp)
    .action(async () => {
      const { values, rest } = parseCommandOptions(guardOptions, command.args);
      const config = parseRunConfig(rest, context.environment, context.readFile);
      context.setExitCode(await context.runGuard(config, values));
    });
  takeFlags(command, commandHelpEntries(guardOptions));
}
