import type { Command } from 'commander';

import { parseRunConfig } from '../config/index.js';
import { HlcError } from '../core/errors/index.js';
import type { CommandContext } from './command-context.js';

/** `hlc-middleware play`: the middleware with simulated vehicles and example controllers. */
export const addPlayCommand = (program: Command, context: CommandContext): void => {
  const command = program
    .command('play')
    .summary('run the middleware with simulated vehicles and example controllers')
    .description(
      'Shows the middleware at work without a lab: simulated vehicles and one example controller for each of them, in processes of their own, on this machine only. Takes the flags of "run"; unless told otherwise with --vehicle-ids=1,2,3 --period-ms=50 --periods=200.',
    )
    .usage('[flags]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const config = parseRunConfig(command.args, context.environment, context.readFile, {
        vehicleIds: '1,2,3',
        periodMs: '50',
        periods: '200',
        waitForStart: 'false',
        logFormat: 'pretty',
      });
      if (config.simulatedTime) {
        throw new HlcError('HLC_CONFIG_NOT_SERVED', {
          what: 'The flag --simulated-time of "play"',
          reason: 'the simulated vehicles drive in real time only',
          servedValues: ['false'],
        });
      }
      context.setExitCode(await context.play(config));
    });
};
