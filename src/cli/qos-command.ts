import { Option, type Command } from 'commander';

import type { CommandContext } from './command-context.js';
import type { SideName } from './qos-report.js';

const sideNames = ['lab', 'controller'] as const satisfies readonly SideName[];

/** `hlc-middleware qos`: what QoS files mean. */
export function addQosCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('qos')
    .summary('check a QoS file')
    .description('Checks QoS files (OMG DDS-XML).');
  const check = command
    .command('check <file>')
    .description('print the QoS of each topic from a file, and the settings without effect')
    .addOption(new Option('--side <side>', 'print one side only').choices(sideNames))
    .action(async (file: string) => {
      // Loaded only when it is needed, so that the other commands start at once.
      const { qosReport } = await import('./qos-report.js');
      const { side } = check.opts<{ side?: SideName }>();
      context.write(qosReport(file, side === undefined ? sideNames : [side]));
    });
}
