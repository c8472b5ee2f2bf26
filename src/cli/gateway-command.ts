import type { Command } from 'commander';

import {
  carlaOptions,
  caveOptions,
  dancersOptions,
  commandHelpEntries,
  parseCommandOptions,
  synchronoOptions,
  type DancersValues,
  type RunConfig,
} from '../config/index.js';
import { HlcError } from '../errors/index.js';
import type { CommandContext } from './command-context.js';
import { takeFlags } from './take-flags.js';
import { refuseSideKind } from './refuse-side-kind.js';
import {
  bothNetworks,
  labNetwork,
  onlyLabSide,
  parseTakenFlags,
  takenFlagsText,
  type TakenFlags,
} from './taken-flags.js';

const carlaFlags: TakenFlags = {
  command: 'gateway carla',
  keys: ['vehicleIds', ...bothNetworks, 'controllerSide', 'nodeId', 'interruptExitCode'],
  presets: { nodeId: 'carla_gateway' },
};

const caveFlags: TakenFlags = {
  command: 'gateway cave',
  keys: [...labNetwork, 'simulatedTime', 'interruptExitCode'],
  presets: onlyLabSide,
};

const dancersFlags: TakenFlags = {
  command: 'gateway dancers',
  keys: [...bothNetworks, 'labSide', 'controllerSide', 'nodeId', 'interruptExitCode'],
  presets: { nodeId: 'dancers_gateway' },
};

const synchronoFlags: TakenFlags = {
  command: 'gateway synchrono',
  keys: ['vehicleIds', ...labNetwork, 'simulatedTime', 'interruptExitCode'],
  presets: onlyLabSide,
};

/** `hlc-middleware gateway`: clients of other protocols take part in a lab. */
export function addGatewayCommand(program: Command, context: CommandContext): void {
  const gateway = program
    .command('gateway')
    .summary('connect clients of other protocols')
    .description(
      'Serves the clients of another protocol as participants of the lab, until a signal arrives.',
    );
  addCarla(gateway, context);
  addCave(gateway, context);
  addDancers(gateway, context);
  addSynchrono(gateway, context);
}

function addCarla(gateway: Command, context: CommandContext): void {
  const command = gateway
    .command('carla')
    .summary('serve CARLA 0.8 clients as controllers')
    .description(
      `Serves CARLA 0.8 clients, one at a time: the client is the controller of the vehicle whose start spot it chooses. Start spot i is the pose of the i-th vehicle of --vehicle-ids. Takes the flags ${takenFlagsText(carlaFlags)}, the arguments of ROS 2 after --ros-args, and these:`,
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(carlaOptions, command.args);
      const config = parseTakenFlags(rest, carlaFlags, context);
      refuseNamesOnLabSide(config, 'gateway carla');
      refuseSideKind(config.sides.controller, '--controller-side', 'gateway carla');
      const { runCarla } = await context.gateways();
      context.setExitCode(await runCarla(config, values));
    });
  takeFlags(command, commandHelpEntries(carlaOptions));
}

function addCave(gateway: Command, context: CommandContext): void {
  const command = gateway
    .command('cave')
    .summary('serve CAVE clients as vehicles')
    .description(
      `Serves CAVE clients: their vehicles are vehicles of the lab with the ids of --ids, and they receive the vehicles of the lab. Takes the flags ${takenFlagsText(caveFlags)}, and these:`,
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(caveOptions, command.args);
      const config = parseTakenFlags(rest, caveFlags, context);
      refuseNamesOnLabSide(config, 'gateway cave');
      const { runCave } = await context.gateways();
      context.setExitCode(await runCave(config, values));
    });
  takeFlags(command, commandHelpEntries(caveOptions));
}

function addDancers(gateway: Command, context: CommandContext): void {
  const command = gateway
    .command('dancers')
    .summary('coordinate a DANCERS run')
    .description(
      `Coordinates a DANCERS run: a physics and a network simulator step in turns, exchange their messages after each window, and /clock has the time. With --lab, agents are vehicles of a lab, whose time a lab control or the gateway keeps. Ends with the run. Takes the flags ${takenFlagsText(dancersFlags)}, the arguments of ROS 2 after --ros-args, and these:`,
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(dancersOptions, command.args);
      const config = parseTakenFlags(rest, dancersFlags, context);
      if (values.lab) {
        refuseNamesOnLabSide(config, 'gateway dancers --lab');
        const { controller } = config.sides;
        refuseSideKind(controller, '--controller-side', 'gateway dancers --lab', ['dds']);
      } else {
        refuseFlagsOfLab(values);
      }
      const { runDancers } = await context.gateways();
      context.setExitCode(await runDancers(config, values));
    });
  takeFlags(command, commandHelpEntries(dancersOptions));
}

/** @throws HlcError `HLC_CONFIG_NEEDS`. */
function refuseFlagsOfLab(values: DancersValues): void {
  const given = new Map([
    ['--ids', values.ids !== undefined],
    ['--commands', values.commands !== 'none'],
    ['--participants', values.participants > 0],
    ['--visibility', values.visibility !== 'all'],
    ['--controller-domains', values.controllerDomains !== undefined],
  ]);
  for (const [what, isGiven] of given) {
    if (isGiven) throw new HlcError('HLC_CONFIG_NEEDS', { what, needs: '--lab' });
  }
}

function addSynchrono(gateway: Command, context: CommandContext): void {
  const command = gateway
    .command('synchrono')
    .summary('take part in a SynChrono simulation as a node')
    .description(
      `Takes part in a SynChrono simulation as a node: the vehicles of --vehicle-ids are its agents, and agents of other nodes are vehicles of the lab by --map. Takes the flags ${takenFlagsText(synchronoFlags)}, and these:`,
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(synchronoOptions, command.args);
      const config = parseTakenFlags(rest, synchronoFlags, context);
      refuseNamesOnLabSide(config, 'gateway synchrono');
      const { runSynchrono } = await context.gateways();
      context.setExitCode(await runSynchrono(config, values));
    });
  takeFlags(command, commandHelpEntries(synchronoOptions));
}

/** @throws HlcError `HLC_CONFIG_NOT_SERVED`. */
function refuseNamesOnLabSide({ sides }: RunConfig, command: string): void {
  refuseSideKind(sides.lab, '--lab-side', command, ['dds']);
}
