import { InvalidArgumentError, Option, type Command } from 'commander';

import { parseRunConfig } from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { takeFlags } from './take-flags.js';

const defaultListenMs = 2000;
const longestListenMs = 600_000;

function milliseconds(text: string): number {
  const ms = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (ms >= 1 && ms <= longestListenMs) return ms;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${longestListenMs}.`);
}

/** `hlc-middleware doctor`: why things do not work. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('doctor')
    .summary('inspect this machine and both domains, and report every mismatch')
    .description(
      'Inspects this machine, listens on both domains, and reports every problem with what to do. Exit code 0: no problem; 2: a problem. Takes the flags of "run" and uses those of the network and the vehicle ids. Sends nothing.',
    )
    .addOption(
      new Option('--listen-ms <ms>', 'listening time, milliseconds')
        .argParser(milliseconds)
        .default(defaultListenMs),
    )
    .option('--json', 'print the report as JSON')
    .action(async () => {
      const { listenMs, json = false } = command.opts<{ listenMs: number; json?: boolean }>();
      const config = parseRunConfig(command.args, context.environment, context.readFile);
      const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined;
      const { text, exitCode } = await context.runDoctor(config, { listenMs, json, colour });
      context.write(text);
      context.setExitCode(exitCode);
    });
  takeFlags(command, []);
}
