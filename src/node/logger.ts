import { pino, stdTimeFunctions, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { RunConfig } from '../config/index.js';

export type { Logger };

/** Where log lines go when something else draws on the terminal. */
export type LineSink = (line: string) => void;

const standardError = 2;

/**
 * The log of one process: JSON lines or readable ones on standard error, written by a thread of
 * their own so that a slow terminal or disk delays no period. With a `sink`, readable lines are
 * handed to it instead.
 */
export function createLogger(
  config: Pick<RunConfig, 'logLevel' | 'logFormat' | 'nodeId'>,
  sink?: LineSink,
): Logger {
  const options = {
    level: config.logLevel,
    base: { node: config.nodeId },
    timestamp: stdTimeFunctions.isoTime,
  };
  const readable =
    config.logFormat === 'pretty' || (config.logFormat === 'auto' && process.stderr.isTTY);
  const style = { ignore: 'pid,hostname,node', translateTime: 'SYS:HH:MM:ss.l', singleLine: true };
  if (sink !== undefined) {
    const line = pretty.prettyFactory({ ...style, colorize: true });
    return pino(options, { write: (json: string) => sink(line(json).trimEnd()) });
  }
  if (readable) {
    const colorize = process.stderr.isTTY && process.env.NO_COLOR === undefined;
    return pino(
      options,
      pino.transport({
        target: 'pino-pretty',
        options: { ...style, colorize, destination: standardError },
      }),
    );
  }
  return pino(
    options,
    pino.transport({ target: 'pino/file', options: { destination: standardError } }),
  );
}
