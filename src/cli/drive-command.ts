import type { Command } from 'commander';

import {
  commandHelpEntries,
  driveOptions,
  parseCommandOptions,
  parseRunConfig,
} from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { listFlags } from './list-flags.js';

/** `hlc-middleware drive`: an example controller. */
export function addDriveCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('drive')
    .summary('run an example controller on the controller side')
    .description(
      'Drives vehicles along a track and keeps their distance to the vehicle in front, until the lab stops or a signal arrives. Takes the flags --vehicle-ids, --domain-number and --interface of "run", and this one:',
    )
    .usage('[flags]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const { values, rest } = parseCommandOptions(driveOptions, command.args);
      const config = parseRunConfig(rest, context.environment, context.readFile);
      context.setExitCode(await context.runDriver(config, values));
    });
  listFlags(command, commandHelpEntries(driveOptions));
}
