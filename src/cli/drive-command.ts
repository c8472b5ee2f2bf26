import type { Command } from 'commander';

import { commandHelpEntries, driveOptions, parseCommandOptions } from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { takeFlags } from './take-flags.js';
import { refuseSideKind } from './refuse-side-kind.js';
import {
  controllerNetwork,
  onlyControllerSide,
  parseTakenFlags,
  takenFlagsText,
  type TakenFlags,
} from './taken-flags.js';

const taken: TakenFlags = {
  command: 'drive',
  keys: ['vehicleIds', ...controllerNetwork, 'controllerSide', 'nodeId'],
  // Beside a middleware with its default name.
  presets: { nodeId: 'drive', ...onlyControllerSide },
};

/** `hlc-middleware drive`: an example controller. */
export function addDriveCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('drive')
    .summary('run an example controller on the controller side')
    .description(
      `Drives vehicles along a track and keeps their distance to the vehicle in front, until the lab stops or a signal arrives. With --controller-side=ros2 the topics have the names of ROS 2, and the controller is the node /drive; this needs no ROS 2 installation. Takes the flags ${takenFlagsText(taken)}, the arguments of ROS 2 after --ros-args, and this one:`,
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(driveOptions, command.args);
      const config = parseTakenFlags(rest, taken, context);
      refuseSideKind(config.sides.controller, '--controller-side', 'drive');
      const { runLabDriver } = await context.lab();
      context.setExitCode(await runLabDriver(config, values));
    });
  takeFlags(command, commandHelpEntries(driveOptions));
}
