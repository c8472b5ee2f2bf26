import type { Command } from 'commander';

import { nsPerMs } from '../core/index.js';
import {
  commandHelpEntries,
  labControlOptions,
  parseCommandOptions,
  type RunConfig,
} from '../config/index.js';
import { HlcError } from '../errors/index.js';
import type { CommandContext } from './command-context.js';
import { takeFlags } from './take-flags.js';
import {
  labNetwork,
  onlyLabSide,
  parseTakenFlags,
  takenFlagsText,
  type TakenFlags,
} from './taken-flags.js';

const taken: TakenFlags = {
  command: 'lab',
  keys: ['periodMs', 'vehicleIds', 'activeVehicleIds', ...labNetwork, 'simulatedTime'],
  presets: { periodMs: '50', ...onlyLabSide },
};

/** `hlc-middleware lab`: a small lab control. */
export function addLabCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('lab')
    .summary('run a small lab control on the lab side')
    .description(
      `Answers the parameter requests of middlewares, starts and stops real or simulated time, and prints the log of the lab side, until it is interrupted. Lines on standard input operate it: start, stop, participants, quit; in simulated time also pause, step and forget. Takes the flags ${takenFlagsText(taken)}, and this one:`,
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(labControlOptions, command.args);
      const config = parseTakenFlags(rest, taken, context);
      refuse(config);
      const { runLab } = await context.lab();
      context.setExitCode(await runLab(config, values));
    });
  takeFlags(command, commandHelpEntries(labControlOptions));
}

/** What the parameters of the lab cannot carry. */
function refuse({ session: { periodNs } }: RunConfig): void {
  if (periodNs !== null && periodNs % nsPerMs === 0n) return;
  throw new HlcError('HLC_CONFIG_VALUE', {
    name: '--period-ms',
    value: String(Number(periodNs) / Number(nsPerMs)),
    rule: 'a whole number of milliseconds, as the lab parameter middleware_period_ms',
  });
}
