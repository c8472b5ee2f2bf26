import type { Command } from 'commander';

import { parseRunConfig, vehicleIdList } from '../config/index.js';
import {
  encodeLine,
  longestMark,
  sendControlRequest,
  type ControlRequest,
  type ControlStatus,
} from '../remote/index.js';
import { ExitCode, HlcError } from '../errors/index.js';
import type { CommandContext } from './command-context.js';
import { statusText } from './status-text.js';

const vehicleIds = vehicleIdList();

/** The largest time that the control socket takes, ns. */
const latestTimeNs = 2n ** 63n - 1n;

/** A command that is one request to a middleware. */
interface ControlCommand {
  /** Name and operand, as commander takes them. */
  readonly usage: string;
  readonly summary: string;
  readonly description: string;
  /** @throws HlcError `HLC_CONFIG_VALUE`. */
  readonly requestOf: (operand: string | undefined) => ControlRequest;
}

const commands: readonly ControlCommand[] = [
  {
    usage: 'status',
    summary: 'print the state of the middleware and its controllers',
    description: 'Prints the state of a running middleware and of its controllers.',
    requestOf: () => ({ command: 'status' }),
  },
  {
    usage: 'pause',
    summary: 'pause simulated time',
    description:
      'Pauses simulated time. The current step ends when all controllers have replied; no other step begins.',
    requestOf: () => ({ command: 'pause' }),
  },
  {
    usage: 'resume [ids]',
    summary: 'resume stopped controllers and simulated time',
    description:
      'Resumes stopped controllers that are back: all of them, or the given ids, with commas between them. Without ids it also resumes simulated time.',
    requestOf: (operand) =>
      operand === undefined ? { command: 'resume' } : { command: 'resume', ids: idsOf(operand) },
  },
  {
    usage: 'step [n]',
    summary: 'make one or n steps of simulated time, then pause',
    description: 'Makes one or n steps of simulated time, then pauses.',
    requestOf: (operand = '1') => ({ command: 'step', count: countOf(operand) }),
  },
  {
    usage: 'run-until <ns>',
    summary: 'run up to a simulated time, then pause',
    description:
      'Makes the steps up to and including a simulated time in nanoseconds, then pauses.',
    requestOf: (operand = '') => ({ command: 'runUntil', time_ns: timeOf(operand) }),
  },
  {
    usage: 'stop',
    summary: 'end the run',
    description:
      'Ends a running middleware: it stops the controllers, brings the vehicles to rest and ends.',
    requestOf: () => ({ command: 'stop' }),
  },
  {
    usage: 'mark <text...>',
    summary: 'write a bookmark to the log and to a recording',
    description: `Writes a bookmark of up to ${longestMark} characters to the log of a running middleware, and to its recordings.`,
    requestOf: (operand = '') => ({ command: 'mark', text: markOf(operand) }),
  },
];

/** The commands that talk to a running middleware. */
export function addControlCommands(program: Command, context: CommandContext): void {
  for (const { usage, summary, description, requestOf } of commands) {
    const command = program
      .command(usage)
      .summary(summary)
      .description(description)
      .option('--node-id <name>', 'node id of the middleware (default: middleware)')
      .option(
        '--control-socket <path>',
        'control socket of the middleware (default: derived from the node id)',
      )
      .option('--config <file>', 'configuration file with the node id or the control socket')
      .option('--json', 'print the state as one line of JSON')
      .action(async () => {
        const request = requestOf(command.args.length === 0 ? undefined : command.args.join(' '));
        const print = command.opts().json === true ? encodeLine : statusText;
        await send(socketOf(command.opts(), context), request, print, context);
      });
  }
}

/** Found as the middleware itself finds it: flags, environment, file, default. */
function socketOf(options: Readonly<Record<string, string>>, context: CommandContext): string {
  const named = {
    '--node-id': 'nodeId',
    '--control-socket': 'controlSocket',
    '--config': 'config',
  };
  const flags = Object.entries(named).flatMap(([flag, key]) =>
    options[key] === undefined ? [] : [`${flag}=${options[key]}`],
  );
  const { output } = parseRunConfig(flags, context.environment, context.readFile);
  if (output.controlSocket === null) throw new HlcError('HLC_CONTROL_OFF', {});
  return output.controlSocket.path;
}

async function send(
  socket: string,
  request: ControlRequest,
  print: (status: ControlStatus) => string,
  context: CommandContext,
): Promise<void> {
  const reply = await sendControlRequest(socket, request);
  if (reply.ok) {
    context.write(print(reply.status));
    return;
  }
  context.writeError(`hlc-middleware: ${reply.message} [${reply.code}]\n`);
  context.setExitCode(ExitCode.failure);
}

function countOf(text: string): number {
  const count = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && Number.isSafeInteger(count)) return count;
  throw badOperand('step', text, `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`);
}

function idsOf(text: string): number[] {
  const result = vehicleIds.schema.safeParse(text);
  if (result.success) return result.data;
  throw badOperand('resume', text, vehicleIds.rule);
}

function timeOf(text: string): bigint {
  const timeNs = /^\d{1,19}$/.test(text) ? BigInt(text) : -1n;
  if (timeNs >= 0n && timeNs <= latestTimeNs) return timeNs;
  const rule = `a whole number of nanoseconds from 0 to ${latestTimeNs.toString()}`;
  throw badOperand('run-until', text, rule);
}

function markOf(text: string): string {
  if (text.length >= 1 && text.length <= longestMark) return text;
  throw badOperand('mark', text, `a text of 1 to ${longestMark} characters`);
}

function badOperand(name: string, value: string, rule: string): HlcError {
  return new HlcError('HLC_CONFIG_VALUE', { name, value, rule });
}
