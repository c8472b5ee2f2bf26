import { ChildProgram } from './child-program.js';
import { cliProgram } from './middleware.js';

/** What a command said, and how it ended. */
export interface CliResult {
  readonly code: number | null;
  /** Lines of standard output and of standard error. */
  readonly output: readonly string[];
  readonly errors: readonly string[];
}

/** Runs `hlc-middleware` with these arguments to its end. */
export async function runCli(...args: string[]): Promise<CliResult> {
  const name = `hlc-middleware ${args.join(' ')}`;
  const program = new ChildProgram(name, process.execPath, [cliProgram, ...args], '');
  const { code } = await program.ended;
  return { code, output: program.stdout.items, errors: program.stderr.items };
}
