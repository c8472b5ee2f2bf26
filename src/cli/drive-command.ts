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
export const addDriveCommand = (program: Command, context: CommandContext): void => {
  const command = program
    .command('drive')
    .summary('run an example controller on the controller side')
    .description(
      'Drives vehicles along a track, at a distance from the vehicle in front, until the lab stops or it is interrupted. Takes the flags --vehicle-ids, --domain-number and --interface of "run", and this one:',
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
};
