import type { Command } from 'commander';

import { parseRunConfig } from '../config/index.js';
import type { CommandContext } from './command-context.js';

/** `hlc-middleware fleet`: simulated vehicles. */
export const addFleetCommand = (program: Command, context: CommandContext): void => {
  const command = program
    .command('fleet')
    .summary('run simulated vehicles on the lab side')
    .description(
      'Simulates vehicles (kinematic bicycle model, 50 Hz, real time) on the lab side until it is interrupted. Takes the flags --vehicle-ids, --dds-domain, --dds-initial-peer and --interface of "run".',
    )
    .usage('[flags]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const config = parseRunConfig(command.args, context.environment, context.readFile);
      context.setExitCode(await context.runFleet(config));
    });
};
