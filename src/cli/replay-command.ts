import type { Command } from 'commander';

import {
  commandHelpEntries,
  compareOptions,
  parseCommandOptions,
  replayOptions,
  reportOptions,
  splitOperands,
} from '../config/index.js';
import { HlcError } from '../errors/index.js';
import type { CommandContext } from './command-context.js';
import { takeFlags } from './take-flags.js';
import {
  controllerNetwork,
  onlyControllerSide,
  parseTakenFlags,
  takenFlagsText,
  type TakenFlags,
} from './taken-flags.js';
import { operandsOf } from './operands.js';

const taken: TakenFlags = {
  command: 'replay',
  keys: [...controllerNetwork, 'readyTimeoutMs', 'interruptExitCode'],
  presets: { readyTimeoutMs: '30000', ...onlyControllerSide },
};

/** The commands that read recordings. */
export function addReplayCommands(program: Command, context: CommandContext): void {
  addReplay(program, context);
  addCompare(program, context);
  addReport(program, context);
}

function addReplay(program: Command, context: CommandContext): void {
  const command = program
    .command('replay')
    .summary('replay a recording to a page, to the rules or to a controller')
    .description(
      `Replays a recording. --to=page: to the page of "observe". --rules: to the rules of this version, whose effects must be the recorded ones. --controller: to controllers, whose commands are compared with the recorded ones. Exit code 0: all is the same; 1: it differs, or a controller fell silent; 3: a controller sent no ready signal. Takes the flags ${takenFlagsText(taken)}, and these:`,
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(replayOptions, command.args);
      const { operands, rest: flags } = splitOperands(rest);
      const [file] = operandsOf(operands, ['file'], 'replay');
      const config = parseTakenFlags(flags, taken, context);
      const kinds = [values.rules, values.controller !== undefined, values.to === 'page'];
      if (kinds.filter(Boolean).length !== 1) {
        const cause = 'replay takes one of --rules, --controller=<command> and --to=page';
        throw new HlcError('HLC_CONFIG_COMMAND', { cause });
      }
      const { replayController, replayToPage, replayToRules } = await context.recordings();
      if (values.to === 'page') {
        context.setExitCode(await replayToPage(file, config, values, context));
        return;
      }
      const same = values.rules
        ? await replayToRules(file, values, context)
        : await replayController(file, config, values, context);
      if (!same) context.setExitCode(1);
    });
  takeFlags(command, commandHelpEntries(replayOptions), '[flags] <file>');
}

function addCompare(program: Command, context: CommandContext): void {
  const command = program
    .command('compare')
    .summary('compare two recordings')
    .description(
      'Compares two recordings: start signals, replies, misses, refusals, reply times, and the paths of the vehicles at the same time after the first start signal.',
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(compareOptions, command.args);
      const [a, b] = operandsOf(rest, ['a', 'b'], 'compare');
      const { compare } = await context.recordings();
      await compare(a, b, values, context);
    });
  takeFlags(command, commandHelpEntries(compareOptions), '[flags] <a> <b>');
}

function addReport(program: Command, context: CommandContext): void {
  const version = program.version() ?? '';
  const command = program
    .command('report')
    .summary('make an HTML report of a recording')
    .description(
      'Makes one HTML file of a recording, with figures, charts and events. It has no scripts and loads nothing, so that it can be mailed.',
    )
    .action(async () => {
      const { values, rest } = parseCommandOptions(reportOptions, command.args);
      const [file] = operandsOf(rest, ['file'], 'report');
      const { report } = await context.recordings();
      await report(file, values.output, version, context);
    });
  takeFlags(command, commandHelpEntries(reportOptions), '[flags] <file>');
}
