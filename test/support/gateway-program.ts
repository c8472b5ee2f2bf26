import path from 'node:path';
import { root } from '../../tools/paths.mjs';
import { ChildProgram } from './child-program.js';
import { loopbackUri } from './loopback-uri.js';
import { cliProgram } from './middleware.js';
import { Recorder } from './recorder.js';

/** `hlc-middleware` with these arguments, as a process of its own. */
export function startCommand(cycloneUri: string, ...args: readonly string[]): ChildProgram {
  const name = `hlc-middleware ${args[0] ?? ''}`;
  return new ChildProgram(name, process.execPath, [cliProgram, ...args], loopbackUri(cycloneUri));
}

/** A lab control for a gateway and a middleware, with steps of 100 ms in simulated time. */
export function startLabControl(cycloneUri: string): ChildProgram {
  const flags = ['--simulated-time', '--participants=2', '--period-ms=100'];
  return startCommand(cycloneUri, 'lab', ...flags);
}

/** A client that shares no code with the gateway, and what it prints. */
export interface GatewayClient<Line> {
  readonly program: ChildProgram;
  readonly seen: Recorder<Line>;
}

/**
 * @param script A file of test/peers/gateways that takes its options as JSON. It may use the modules of
 *   examples/mixed.
 */
export function startClient<Line>(script: string, options: object): GatewayClient<Line> {
  const file = path.join(root, 'test/peers/gateways', script);
  return startPeer(script, 'python3', [file, JSON.stringify(options)]);
}

/** A program that prints lines of JSON. */
export function startPeer<Line>(
  name: string,
  command: string,
  args: readonly string[],
): GatewayClient<Line> {
  const variables = { PYTHONPATH: path.join(root, 'examples/mixed') };
  const program = new ChildProgram(name, command, args, '', { variables });
  const seen = new Recorder<Line>(`lines of ${name}`);
  program.stdout.forEach((line) => seen.add(JSON.parse(line) as Line));
  void program.ended.then(() => {
    seen.end(`but the client ended: ${program.stderr.items.join('\n')}`);
  });
  return { program, seen };
}
