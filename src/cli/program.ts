import { Command } from 'commander';

import type { CommandContext } from './command-context.js';
import { addCertifyCommand } from './certify-command.js';
import { addConfigCommand } from './config-command.js';
import { addControlCommands } from './control-commands.js';
import { addDriveCommand } from './drive-command.js';
import { exitCodeHelp } from './exit-code-help.js';
import { addDoctorCommand } from './doctor-command.js';
import { addFleetCommand } from './fleet-command.js';
import { addGuardCommand } from './guard-command.js';
import { addGatewayCommand } from './gateway-command.js';
import { addInstallCommand } from './install-command.js';
import { addLabCommand } from './lab-command.js';
import { addObserveCommand } from './observe-command.js';
import { addPlayCommand } from './play-command.js';
import { addQosCommand } from './qos-command.js';
import { addRecordCommand } from './record-command.js';
import { addReplayCommands } from './replay-command.js';
import { addRunCommand } from './run-command.js';

/** A command in the list of the help, without "[options]", so that the column stays narrow. */
function nameAndArguments(command: Command): string {
  const places = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [command.name(), ...places].join(' ');
}

/** The commands of `hlc-middleware`. Commander throws where it would end the process. */
export function createProgram(version: string, context: CommandContext): Command {
  const program = new Command('hlc-middleware')
    .description(
      'Middleware between high-level controllers and vehicles: start signals, typed commands, deadlines.',
    )
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: context.write,
      writeErr: context.writeError,
      // The caller reports the thrown error in the words of the catalogue.
      outputError: () => undefined,
    })
    .configureHelp({ subcommandTerm: nameAndArguments })
    .addHelpText('after', exitCodeHelp);
  program.commandsGroup('Run:');
  addRunCommand(program, context);
  addGuardCommand(program, context);
  addPlayCommand(program, context);
  addFleetCommand(program, context);
  addDriveCommand(program, context);
  addLabCommand(program, context);
  addGatewayCommand(program, context);
  program.commandsGroup('Talk to a running middleware:');
  addControlCommands(program, context);
  addObserveCommand(program, context);
  program.commandsGroup('Record and replay:');
  addRecordCommand(program, context);
  addReplayCommands(program, context);
  program.commandsGroup('Install:');
  addInstallCommand(program, context);
  program.commandsGroup('Check and describe:');
  addDoctorCommand(program, context);
  addCertifyCommand(program, context);
  addQosCommand(program, context);
  addConfigCommand(program, context);
  program.helpCommand('help [command]', 'print the help of a command');
  return program;
}
