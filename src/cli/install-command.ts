import { Option, type Command } from 'commander';

import type { CommandContext } from './command-context.js';

/** Where a web server of the lab has what its computers download at boot. */
const defaultPackages = '/var/www/html/nuc';

/** `hlc-middleware install-cpm-lab`: in the place of the original middleware. */
export function addInstallCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('install-cpm-lab <folder>')
    .summary('install this middleware in a CPM Lab, or undo that')
    .description(
      "Installs this middleware in the place of the original one in the folder of the lab's software, and in the package for the computers of the lab. Without --apply it prints the changes and makes none.",
    )
    .option('--apply', 'make the changes')
    .option('--undo', 'put the original middleware in its place again')
    .addOption(
      new Option(
        '--packages <folder>',
        'folder of the packages that the computers of the lab download; no package without it',
      ).default(defaultPackages),
    )
    .action(async (folder: string) => {
      // Loaded only when it is needed, so that the other commands start at once.
      const { runInstall } = await import('../install/index.js');
      const { apply = false, undo = false, packages } = command.opts<InstallFlags>();
      runInstall({ folder, packages, apply, undo }, context.write);
    });
}

interface InstallFlags {
  readonly apply?: boolean;
  readonly undo?: boolean;
  readonly packages: string;
}
