import type { Command } from 'commander';

import {
  commandHelpEntries,
  fleetOptions,
  parseCommandOptions,
  parseRunConfig,
  type RunConfig,
} from '../config/index.js';
import { HlcError } from '../errors/index.js';
import type { CommandContext } from './command-context.js';
import { listFlags } from './list-flags.js';

/** Beside a middleware with its default name. */
const presets = { nodeId: 'fleet' } as const;

/** `hlc-middleware fleet`: simulated vehicles. */
export function addFleetCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('fleet')
    .summary('run simulated vehicles on the lab side')
    .description(
      'Simulates vehicles (kinematic bicycle model, 50 Hz) on the lab side until a signal arrives. With --simulated-time the vehicles step with a middleware in simulated time, and this program is also its lab control. With --lab-side=ros2 the topics have the names of ROS 2, and the vehicles are the node /fleet, without a ROS 2. Takes the flags --vehicle-ids, --dds-domain, --dds-initial-peer, --interface, --simulated-time, --lab-side, --node-id and --interrupt-exit-code of "run", the arguments of ROS 2 after --ros-args, and these:',
    )
    .usage('[flags]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const { values, rest } = parseCommandOptions(fleetOptions, command.args);
      const config = parseRunConfig(rest, context.environment, context.readFile, presets);
      refuseRosTransport(config);
      context.setExitCode(await context.runFleet(config, values));
    });
  listFlags(command, commandHelpEntries(fleetOptions));
}

/** The vehicles are participants of plain DDS, which need no ROS 2 for its names. */
function refuseRosTransport({ sides }: RunConfig): void {
  if (sides.lab.kind !== 'rclnodejs') return;
  throw new HlcError('HLC_CONFIG_NOT_SERVED', {
    what: 'A lab side in rclnodejs with "fleet"',
    reason: 'the vehicles need no ROS 2; --lab-side=ros2 gives them its names',
    servedValues: ['dds', 'ros2'],
  });
}
