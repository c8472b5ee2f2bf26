import { multistream, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { RunConfig } from '../config/index.js';

export type { Logger };

type LogLevel = RunConfig['logLevel'];

/** Where readable log lines go when something else draws on the terminal. */
export type LineSink = (line: string) => void;

/** The log of one process. */
export interface NodeLog {
  readonly log: Logger;
  /**
   * Hands every entry, as a line of JSON, to one more listener, whatever the user's log level.
   * @param level the least severe entries that it wants
   */
  listen(listener: (line: string) => void, level: LogLevel): void;
  /** From now on the user sees entries of this level. */
  setLevel(level: LogLevel): void;
}

const standardError = 2;
const bySeverity: readonly LogLevel[] = [
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
  'silent',
];

/**
 * Log lines in JSON or for people on standard error, written by a thread of their own so that a
 * slow terminal or disk delays no period. With a `sink`, readable lines are handed to it instead.
 */
export function createLog(
  config: Pick<RunConfig, 'logLevel' | 'logFormat' | 'nodeId'>,
  sink?: LineSink,
): NodeLog {
  let heard: ((line: string) => void) | undefined;
  let heardLevel: LogLevel = 'silent';
  let shownLevel = config.logLevel;
  const streams = multistream([
    { level: 'trace', stream: { write: (line: string) => heard?.(line) } },
  ]);
  let shown: { readonly stream: DestinationStream; readonly id: number } | undefined;
  const show = (level: LogLevel) => {
    if (shown !== undefined) streams.remove(shown.id);
    if (level === 'silent') return;
    const stream = shown?.stream ?? destination(config, sink);
    const { lastId: id } = streams.add({ level, stream }) as unknown as { readonly lastId: number };
    shown = { stream, id };
  };
  show(shownLevel);
  const log = pino(
    {
      level: config.logLevel,
      base: { node: config.nodeId },
      timestamp: stdTimeFunctions.isoTime,
    },
    streams,
  );
  return {
    log,
    listen(listener, level) {
      heard = listener;
      heardLevel = level;
      log.level = moreTalkative(shownLevel, heardLevel);
    },
    setLevel(level) {
      shownLevel = level;
      show(level);
      log.level = moreTalkative(shownLevel, heardLevel);
    },
  };
}

function destination(
  config: Pick<RunConfig, 'logFormat'>,
  sink: LineSink | undefined,
): DestinationStream {
  const style = {
    ignore: 'pid,hostname,node',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  };
  if (sink !== undefined) {
    const line = pretty.prettyFactory({ ...style, colorize: process.env.NO_COLOR === undefined });
    return { write: (json: string) => sink(line(json).trimEnd()) };
  }
  const onTerminal = process.stderr.isTTY;
  if (config.logFormat === 'pretty' || (config.logFormat === 'auto' && onTerminal)) {
    const colorize = onTerminal && process.env.NO_COLOR === undefined;
    const options = { ...style, colorize, destination: standardError };
    return pino.transport({ target: 'pino-pretty', options });
  }
  const options = { destination: standardError };
  return pino.transport({ target: 'pino/file', options });
}

function moreTalkative(a: LogLevel, b: LogLevel): LogLevel {
  return bySeverity.indexOf(a) < bySeverity.indexOf(b) ? a : b;
}
