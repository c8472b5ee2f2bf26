import type { Command } from 'commander';

import { reportText } from '../check/index.js';
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
export const addCheckCommand = (program: Command, context: CommandContext): void => {
  const command = program
    .command('check')
    .summary('check a controller of any language by all rules')
    .description(
      'Plays the middleware and the lab to one controller, and tells which rules of docs/reference/check.md it keeps. The controller is running, or is started by the command after --, which also lets the check start it again. Exit code 0: all rules that were tested passed; 1: a rule did not pass; 3: no controller appeared. Takes the flags --vehicle-ids, --period-ms (default here: 50), --domain-number, --interface and --ready-timeout-ms (default here: 10000) of "run", and these:',
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
};
