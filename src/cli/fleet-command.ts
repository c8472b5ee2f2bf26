import type { Command } from 'commander';

import { commandHelpEntries, fleetOptions, parseCommandOptions } from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { takeFlags } from './take-flags.js';
import { refuseSideKind } from './refuse-side-kind.js';
import {
  labNetwork,
  onlyLabSide,
  parseTakenFlags,
  takenFlagsText,
  type TakenFlags,
} from './taken-flags.js';

const taken: TakenFlags = {
  command: 'fleet',
  keys: ['vehicleIds', ...labNetwork, 'simulatedTime', 'labSide', 'nodeId', 'interruptExitCode'],
  // Beside a middleware with its default name.
  presets: { nodeId: 'fleet', ...onlyLabSide },
};

/** `hlc-middleware fleet`: simulated vehicles. */
export function addFleetCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('fleet')
    .summary('run simulated vehicles on the lab side')
    .description(
      `Simulates vehicles (kinematic bicycle model, 50 Hz) on the lab side until a signal arrives. With --simulated-time the vehicles step with a middleware in simulated time, and this program is also its lab control. With --lab-side=ros2 the topics have the names of ROS 2, and the vehicles are the node /fleet; this needs no ROS 2 installation. With --physics the vehicles are agents of a DANCERS run instead. Takes the flags ${takenFlagsText(taken)}, the arguments of ROS 2 after --ros-args, and these:`,
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(fleetOptions, command.args);
      const config = parseTakenFlags(rest, taken, context);
      refuseSideKind(config.sides.lab, '--lab-side', 'fleet');
      const { runLabFleet } = await context.lab();
      context.setExitCode(await runLabFleet(config, values));
    });
  takeFlags(command, commandHelpEntries(fleetOptions));
}
