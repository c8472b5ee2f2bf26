import { certifyNames } from './certify-command.js';
import { type Command, CommanderError } from 'commander';

import { debugVariable } from '../config/index.js';
import { ExitCode } from '../errors/index.js';
import type { CommandContext } from './command-context.js';
import { createProgram } from './program.js';
import { reportError } from './report-error.js';

/** The process around the program; a test gives its own. */
export interface Shell extends Omit<CommandContext, 'childCommand' | 'setExitCode' | 'showStacks'> {
  readonly version: string;
}

/** Start scripts of the CPM Lab give flags and no command: they mean `run`. */
function withCommand(argv: readonly string[]): readonly string[] {
  const [first = ''] = argv;
  const isRunFlag = first.startsWith('--') && first !== '--help' && first !== '--version';
  return isRunFlag ? ['run', ...argv] : argv;
}

/** What stands after `--` is for the program that `certify` starts. */
function splitCommand(argv: readonly string[]): [own: readonly string[], rest: readonly string[]] {
  const [command = ''] = argv;
  const at = certifyNames.includes(command) ? argv.indexOf('--') : -1;
  return at < 0 ? [argv, []] : [argv.slice(0, at), argv.slice(at + 1)];
}

/**
 * Runs one command line to its end. An error goes to standard error and is never thrown.
 * @param argv the arguments after the name of the program.
 * @returns the exit code of the process.
 */
export async function execute(argv: readonly string[], shell: Shell): Promise<number> {
  let exitCode: number = ExitCode.ok;
  let withStack = shell.environment[debugVariable] === '1';
  const [own, childCommand] = splitCommand(withCommand(argv));
  const program = createProgram(shell.version, {
    ...shell,
    childCommand,
    setExitCode: (code) => (exitCode = code),
    showStacks: () => (withStack = true),
  });
  try {
    await program.parseAsync(own, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) {
      return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    }
    const report = reportError(error, withStack, commandOf(program, own));
    shell.writeError(report.text);
    return report.exitCode;
  }
}

/** The words of a command line that name the command. */
function commandOf(program: Command, argv: readonly string[]): string {
  const [first = '', ...rest] = argv;
  const command = program.commands.find((each) => each.name() === first);
  return command === undefined ? '' : `${first} ${commandOf(command, rest)}`.trimEnd();
}

/** Help or version was printed: asked for (exit code 0), or since no command was given. */
function isHelp(error: CommanderError): boolean {
  return error.exitCode === 0 || error.code === 'commander.help';
}
