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
   * Hands entries, as lines of JSON, to one more listener; a second call with it changes the level.
   * @param level the least severe entries that it gets; `shown`: those that the user sees
   */
  listen(listener: (line: string) => void, level: LogLevel | 'shown'): void;
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
  const listeners = new Map<(line: string) => void, LogLevel | 'shown'>();
  let shownLevel = config.logLevel;
  const levelOf = (level: LogLevel | 'shown') => (level === 'shown' ? shownLevel : level);
  const pass = (line: string) => {
    const { level } = JSON.parse(line) as { readonly level: number };
    for (const [listener, wanted] of listeners) {
      if (level >= (pino.levels.values[levelOf(wanted)] ?? Infinity)) listener(line);
    }
  };
  const streams = multistream([{ level: 'trace', stream: { write: pass } }]);
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
  const setLogLevel = () => {
    log.level = [...listeners.values()].map(levelOf).reduce(moreTalkative, shownLevel);
  };
  return {
    log,
    listen(listener, level) {
      listeners.set(listener, level);
      setLogLevel();
    },
    setLevel(level) {
      shownLevel = level;
      show(level);
      setLogLevel();
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
