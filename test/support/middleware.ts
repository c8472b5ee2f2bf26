import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunSummary } from '../../src/node/index.js';
import { ChildProgram, type ProgramEnd, type ProgramOptions } from './child-program.js';
import { Recorder } from './recorder.js';
import { replayable } from './replayed-runs.js';
import { temporaryFolder } from './temporary-folder.js';

/** The program `hlc-middleware`. */
export const cliProgram = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** One line of the middleware's log: a sentence, and details by name. */
export interface LogLine {
  readonly level: number;
  /** ISO 8601. */
  readonly time: string;
  readonly msg: string;
  readonly [detail: string]: unknown;
}

/** It starts as soon as all controllers are ready, and leaves nothing behind when it is killed. */
const withoutLabControl = ['--wait-for-start=false', '--control-socket=off'];

/**
 * Where a test gives no miss policy, it is not about stops: vehicles are sent what the test sends, and the
 * end of a run commands speed 0 for a moment instead of a second.
 */
const unsupervised = ['--miss-policy=log', '--zero-speed-ms=20'];

/** How a middleware is started. */
export interface MiddlewareStart extends ProgramOptions {
  /** Flags unless the test gives them, instead of those for a lab without lab control. */
  readonly defaults?: readonly string[];
  /** What starts the program: a command and its first arguments. */
  readonly through?: readonly string[];
}

/** `hlc-middleware run` as a process of its own. */
export class Middleware {
  readonly logs: Recorder<LogLine>;
  readonly program: ChildProgram;
  readonly ended: Promise<ProgramEnd>;
  readonly #summaryFile: string;

  /** @param flags as on the command line; a flag for the summary file is added */
  constructor(cycloneUri: string, flags: readonly string[], start: MiddlewareStart = {}) {
    this.logs = new Recorder('log lines of the middleware', start.patienceMs);
    this.#summaryFile = path.join(temporaryFolder(), 'summary.json');
    this.program = runMiddleware(cycloneUri, [`--summary=${this.#summaryFile}`, ...flags], start);
    this.program.stderr.forEach((line) => {
      if (line.startsWith('{')) this.logs.add(JSON.parse(line) as LogLine);
    });
    this.ended = this.program.ended.then((end) => {
      this.logs.end('but the middleware ended');
      return end;
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.program.signal(signal);
  }

  /** The log lines whose sentence begins like this. */
  logged(text: string): LogLine[] {
    return this.logs.items.filter(({ msg }) => msg.startsWith(text));
  }

  /** The first log line whose sentence begins like this. */
  untilLogged(text: string): Promise<LogLine> {
    return this.logs.until(({ msg }) => msg.startsWith(text));
  }

  /** What it wrote into its summary file; to be read when it has ended. */
  summary(): RunSummary {
    return JSON.parse(readFileSync(this.#summaryFile, 'utf8')) as RunSummary;
  }
}

/** The flags of these that the test does not give itself. */
function unlessSaid(defaults: readonly string[], flags: readonly string[]): string[] {
  const nameOf = (flag: string) => flag.split('=')[0]?.replaceAll('_', '-');
  const said = new Set(flags.map(nameOf));
  return defaults.filter((flag) => !said.has(nameOf(flag)));
}

/** `hlc-middleware run` with these flags, without a summary file. */
export function runMiddleware(
  cycloneUri: string,
  flags: readonly string[],
  { defaults = withoutLabControl, through = [], ...options }: MiddlewareStart = {},
): ChildProgram {
  const supervised = flags.some((flag) => /^--miss[-_]policy/.test(flag));
  const all = [...defaults, ...(supervised ? [] : unlessSaid(unsupervised, defaults))];
  const { node, run } = replayable([process.execPath], [...unlessSaid(all, flags), ...flags]);
  const [command = '', ...args] = [...through, ...node, cliProgram, 'run', ...run];
  return new ChildProgram('the middleware', command, args, cycloneUri, options);
}
