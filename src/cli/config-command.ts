import type { Command } from 'commander';

import { configFileSchema, flagsDocument } from '../config/index.js';
import type { CommandContext } from './command-context.js';
import { errorsDocument } from './errors-document.js';

/** `hlc-middleware config`: what there is to configure. */
export function addConfigCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('config')
    .summary('print the schema and the reference pages')
    .description('Prints the schema and the reference pages of the configuration.');
  command
    .command('schema')
    .description('print the JSON schema of the file of "run --config"')
    .action(() => {
      context.write(`${JSON.stringify(configFileSchema(), null, 2)}\n`);
    });
  command
    .command('flags')
    .description('print the reference of all flags as Markdown (docs/reference/flags.md)')
    .action(() => {
      context.write(flagsDocument());
    });
  command
    .command('errors')
    .description('print the reference of all error codes as Markdown (docs/reference/errors.md)')
    .action(() => {
      context.write(errorsDocument());
    });
}
