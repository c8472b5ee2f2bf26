import type { Command } from 'commander';

import { commandHelpEntries, observeOptions, parseCommandOptions } from '../config/index.js';
import { HlcError } from '../errors/index.js';
import type { CommandContext } from './command-context.js';
import { takeFlags } from './take-flags.js';
import { parseTakenFlags, takenFlagsText, type TakenFlags } from './taken-flags.js';

const taken: TakenFlags = {
  command: 'observe',
  keys: ['nodeId', 'controlSocket', 'interruptExitCode'],
};

/** `hlc-middleware observe`: a page with map, times, events and controls of a running middleware. */
export function addObserveCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('observe')
    .summary('serve a page with map, reply times, events and controls')
    .description(
      `Serves a page about a middleware on this machine: map, reply times, events, health of the vehicles, controls; /metrics for Prometheus; and a server for Foxglove at the same port. Waits for the middleware, and continues with the next one at the same control socket. A slow browser does not delay the middleware. Takes the flags ${takenFlagsText(taken)}, and these:`,
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(observeOptions, command.args);
      const config = parseTakenFlags(rest, taken, context);
      if (config.output.controlSocket === null) throw new HlcError('HLC_CONTROL_OFF', {});
      context.setExitCode(await context.observe(config, config.output.controlSocket.path, values));
    });
  takeFlags(command, commandHelpEntries(observeOptions));
}
