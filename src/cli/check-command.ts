import type { Command } from 'commander';

import { reportText, type CheckReport } from '../certify/judging/index.js';
import {
  checkCommandOptions,
  commandHelpEntries,
  parseCommandOptions,
  parseRunConfig,
  type CheckValues,
} from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { listFlags } from './list-flags.js';
import { refuseSideKind } from './refuse-side-kind.js';

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
      'Plays the middleware and the lab to one controller, or to several of them (--separately), and reports which rules each keeps (docs/reference/check.md). The command after -- starts the controller and allows the check to restart it; without a command, start the controller yourself. Exit code 0: every tested rule passed; 1: a rule did not pass; 3: no controller appeared. Takes the flags --vehicle-ids, --period-ms (default here: 50), --domain-number, --interface, --controller-side and --ready-timeout-ms (default here: 10000) of "run", and these:',
    )
    .usage('[flags] [-- command of the controller]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const { values, rest } = parseCommandOptions(checkCommandOptions, command.args);
      const config = parseRunConfig(rest, context.environment, context.readFile, presets);
      refuseSideKind(config.sides.controller, '--controller-side', 'check', [
        'dds',
        'ros2',
        'both',
      ]);
      const { reports, exitCode } = await context.runCheck(config, values, context.childCommand);
      context.write(`${textOf(reports, values)}\n`);
      context.setExitCode(exitCode);
    });
  listFlags(command, commandHelpEntries(checkCommandOptions));
}

function textOf(reports: readonly CheckReport[], { json, separately }: CheckValues): string {
  if (!json) return reports.map(reportText).join('\n\n');
  return JSON.stringify(separately ? { controllers: reports } : reports[0], null, 2);
}
