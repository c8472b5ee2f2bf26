import type { Command } from 'commander';

import { reportText } from '../certify/judging/index.js';
import {
  checkCommandOptions,
  commandHelpEntries,
  parseCommandOptions,
  parseRunConfig,
} from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { listFlags } from './list-flags.js';

const presets = {
  periodMs: '50',
  readyTimeoutMs: '10000',
  // The lab side is not used; its default must not forbid a domain for the controllers.
  ddsDomain: '232',
} as const;

/** `hlc-middleware check`: certifies a controller. */
export function addCheckCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('check')
    .summary('certify a controller of any language')
    .description(
      'Plays the middleware and the lab to one controller, and reports which rules it keeps (docs/reference/check.md). The command after -- starts the controller and allows the check to restart it; without a command, start the controller yourself. Exit code 0: every tested rule passed; 1: a rule did not pass; 3: no controller appeared. Takes the flags --vehicle-ids, --period-ms (default here: 50), --domain-number, --interface and --ready-timeout-ms (default here: 10000) of "run", and these:',
    )
    .usage('[flags] [-- command of the controller]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const { values, rest } = parseCommandOptions(checkCommandOptions, command.args);
      const config = parseRunConfig(rest, context.environment, context.readFile, presets);
      const { report, exitCode } = await context.runCheck(config, values, context.childCommand);
      const text = values.json ? JSON.stringify(report, null, 2) : reportText(report);
      context.write(`${text}\n`);
      context.setExitCode(exitCode);
    });
  listFlags(command, commandHelpEntries(checkCommandOptions));
}
