import type { Command } from 'commander';

import {
  commandHelpEntries,
  helpEntries,
  parseCommandOptions,
  parseRunConfig,
  playOptions,
  type PlayValues,
  type RunConfig,
} from '../config/index.js';
import { HlcError } from '../errors/index.js';
import type { CommandContext } from './command-context.js';
import { takeFlags } from './take-flags.js';
import { npmFlagsWarning } from './npm-flags.js';
import { refuseSideKind } from './refuse-side-kind.js';

const presets = {
  vehicleIds: '1,2,3',
  periodMs: '50',
  waitForStart: 'false',
  // Nothing can be hurt, and an author's controller comes and goes.
  resume: 'auto',
  guard: 'true',
  logFormat: 'pretty',
} as const;
/** A run with example controllers only ends by itself. */
const shortRun = { periods: '200' } as const;

/** `hlc-middleware play`: the middleware with simulated vehicles and example controllers. */
export function addPlayCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('play')
    .summary('run the middleware with simulated vehicles and example controllers')
    .description(
      'Runs the middleware with simulated vehicles and one example controller per vehicle, each in a process of its own, on this machine only. --own or --controllers=none makes room for your own controllers. Takes the flags of "run", with the defaults --vehicle-ids=1,2,3 --period-ms=50, and --periods=200 when all controllers are examples and --page is absent. It also takes these flags:',
    )
    .action(async () => {
      warnOfNpm(context);
      const { values, rest } = parseCommandOptions(playOptions, command.args);
      const allExamples = values.controllers === 'example' && values.own === undefined;
      const config = parseRunConfig(rest, context.environment, context.readFile, {
        ...presets,
        ...(allExamples && !values.page ? shortRun : {}),
      });
      refuse(config, values);
      context.setExitCode(await context.play(config, values));
    });
  takeFlags(command, commandHelpEntries(playOptions));
}

function warnOfNpm({ environment, writeError }: CommandContext): void {
  const entries = [...commandHelpEntries(playOptions), ...helpEntries()];
  const flags = entries.map(({ term }) => term.split(' ', 1)[0] ?? '');
  const warning = npmFlagsWarning(environment, flags);
  if (warning !== undefined) writeError(`hlc-middleware: warning: ${warning}\n`);
}

/** What the simulated lab cannot do. */
function refuse({ session, sides }: RunConfig, { own = [], controllers }: PlayValues): void {
  refuseSideKind(sides.lab, '--lab-side', 'play');
  const someOfOurs = controllers !== 'none' && session.vehicleIds.some((id) => !own.includes(id));
  if (sides.controller.kind !== 'dds' && someOfOurs) {
    throw new HlcError('HLC_CONFIG_NOT_SERVED', {
      what: 'A controller side in ROS 2 with the controllers of "play"',
      reason: 'they are programs of plain DDS; --controllers=none leaves all vehicles to yours',
      servedValues: [],
    });
  }
  if (session.time.mode === 'simulated' && session.time.timeSource.kind === 'self') {
    throw new HlcError('HLC_CONFIG_NOT_SERVED', {
      what: 'The flag --time-source=self of "play"',
      reason: 'the simulated vehicles are the lab that lets simulated time step',
      servedValues: ['lab'],
    });
  }
  const stranger = own.find((id) => !session.vehicleIds.includes(id));
  if (stranger !== undefined) {
    throw new HlcError('HLC_CONFIG_VALUE', {
      name: '--own',
      value: own.join(','),
      rule: `a list of vehicles that are in --vehicle-ids, which are ${session.vehicleIds.join(',')}`,
    });
  }
}
