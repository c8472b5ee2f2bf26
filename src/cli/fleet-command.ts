import type { Command } from 'commander';

import {
  commandHelpEntries,
  fleetOptions,
  parseCommandOptions,
  parseRunConfig,
} from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { listFlags } from './list-flags.js';

/** `hlc-middleware fleet`: simulated vehicles. */
export const addFleetCommand = (program: Command, context: CommandContext): void => {
  const command = program
    .command('fleet')
    .summary('run simulated vehicles on the lab side')
    .description(
      'Simulates vehicles (kinematic bicycle model, 50 Hz) on the lab side until a signal arrives. With --simulated-time the vehicles step with a middleware in simulated time, and this program is also its lab control. Takes the flags --vehicle-ids, --dds-domain, --dds-initial-peer, --interface and --simulated-time of "run", and these:',
    )
    .usage('[flags]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const { values, rest } = parseCommandOptions(fleetOptions, command.args);
      const config = parseRunConfig(rest, context.environment, context.readFile);
      context.setExitCode(await context.runFleet(config, values));
    });
  listFlags(command, commandHelpEntries(fleetOptions));
};
