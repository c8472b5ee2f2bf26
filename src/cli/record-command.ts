import type { Command } from 'commander';

import {
  commandHelpEntries,
  parseCommandOptions,
  recordOptions,
  recoverOptions,
  splitOperands,
} from '../config/index.js';
import { HlcError } from '../errors/index.js';
import type { CommandContext } from './command-context.js';
import { takeFlags } from './take-flags.js';
import { parseTakenFlags, takenFlagsText, type TakenFlags } from './taken-flags.js';
import { operandsOf } from './operands.js';

const taken: TakenFlags = { command: 'record', keys: ['nodeId', 'controlSocket', 'qosFile'] };

/** `hlc-middleware record`: records a running middleware, or recovers a recording. */
export function addRecordCommand(program: Command, context: CommandContext): void {
  const version = program.version() ?? '';
  const command = program
    .command('record')
    .summary('record a running middleware')
    .description(
      `Records everything that a middleware receives, decides and sends to an MCAP file, until the middleware ends or a signal arrives. Start it before the middleware, or use "run --record", to have the whole run. "record recover FILE" writes what is readable of a damaged recording to a new file. Takes the flags ${takenFlagsText(taken)}, and these:`,
    )
    .action(async () => {
      if (command.args[0] === 'recover') return recover(command.args.slice(1), version, context);
      const { values, rest } = parseCommandOptions(recordOptions, command.args);
      const { operands, rest: flags } = splitOperands(rest);
      const [file] = operandsOf(operands, ['file'], 'record');
      const config = parseTakenFlags(flags, taken, context);
      if (config.output.controlSocket === null) throw new HlcError('HLC_CONTROL_OFF', {});
      const { recordRun } = await context.recordings();
      context.setExitCode(await recordRun({ file, config, values, flags, version }, context));
    });
  takeFlags(
    command,
    commandHelpEntries({ ...recordOptions, ...recoverOptions }),
    '[flags] <file> | recover [flags] <file>',
  );
}

async function recover(
  args: readonly string[],
  version: string,
  context: CommandContext,
): Promise<void> {
  const { values, rest } = parseCommandOptions(recoverOptions, args);
  const [file] = operandsOf(rest, ['file'], 'record recover');
  const { recover: run } = await context.recordings();
  await run(file, values.output, version, context);
}
