import type { Command } from 'commander';

import { reportText, type CertificationReport } from '../certify/judging/index.js';
import {
  certifyOptions,
  commandHelpEntries,
  parseCommandOptions,
  type CertifyValues,
} from '../config/index.js';
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

const certifyName = 'certify';
/** Its name before; scripts may have it. */
const oldCertifyName = 'check';
/** The names of this command. */
export const certifyNames: readonly string[] = [certifyName, oldCertifyName];

const taken: TakenFlags = {
  command: certifyName,
  keys: [
    'vehicleIds',
    'periodMs',
    ...controllerNetwork,
    'controllerSide',
    'readyTimeoutMs',
    // The finding is kept beside the control socket.
    'nodeId',
    'controlSocket',
  ],
  presets: { periodMs: '50', readyTimeoutMs: '10000', ...onlyControllerSide },
};

/** `hlc-middleware certify`. */
export function addCertifyCommand(program: Command, context: CommandContext): void {
  const command = program
    .command(certifyName)
    .alias(oldCertifyName)
    .summary('certify a controller of any language')
    .description(
      `Plays the middleware and the lab to one controller, or to several of them (--separately), and reports which rules each keeps (docs/reference/certification.md). The command after -- starts the controller, which can then be restarted; without a command, start the controller yourself. Exit code 0: every tested rule passed; 1: a rule did not pass; 3: no controller appeared. Takes the flags ${takenFlagsText(taken)}, and these:`,
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(certifyOptions, command.args);
      const config = parseTakenFlags(rest, taken, context);
      refuseSideKind(config.sides.controller, '--controller-side', certifyName, [
        'dds',
        'ros2',
        'both',
      ]);
      const { reports, exitCode } = await context.certify(config, values, context.childCommand);
      context.write(`${textOf(reports, values)}\n`);
      context.setExitCode(exitCode);
    });
  takeFlags(command, commandHelpEntries(certifyOptions), '[flags] [-- command of the controller]');
}

function textOf(
  reports: readonly CertificationReport[],
  { json, separately }: CertifyValues,
): string {
  if (!json) return reports.map(reportText).join('\n\n');
  return JSON.stringify(separately ? { controllers: reports } : reports[0], null, 2);
}
