import { pino, stdTimeFunctions, symbols, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { RunConfig } from '../config/index.js';

export type { Logger };

type LogLevel = RunConfig['logLevel'];

/** Where the lines of a log go, each with its line feed. It does not throw. */
export interface LogTarget {
  readonly format: 'json' | 'pretty';
  readonly colour: boolean;
  readonly write: (line: string) => void;
}

/** The log of one middleware. */
export interface NodeLog {
  readonly log: Logger;
  /**
   * Hands every entry, as a line of JSON, to one more listener, whatever the user's log level.
   * Replaces the listener before. A listener that throws is removed.
   * @param level the least severe entries that it wants
   */
  listen(listener: (line: string) => void, level: LogLevel): void;
  /** From now on the user sees entries of this level. */
  setLevel(level: LogLevel): void;
}

/**
 * A log of JSON lines or readable lines. Calls of the log never throw because of the target or the
 * listener.
 */
export function createLog(
  config: Pick<RunConfig, 'logLevel' | 'nodeId'>,
  target: LogTarget,
): NodeLog {
  const show = formatter(target);
  let shown = severity(config.logLevel);
  let listener: ((line: string) => void) | undefined;
  let listened = Number.POSITIVE_INFINITY;
  const destination = {
    // pino says in `lastLevel` how severe the next line is.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string): void {
      if (this.lastLevel >= shown) show(line);
      if (this.lastLevel >= listened) tell(line);
    },
  };
  const log = pino(
    {
      level: config.logLevel,
      base: { node: config.nodeId },
      timestamp: stdTimeFunctions.isoTime,
    },
    destination,
  );
  const adjust = () => {
    const least = Math.min(shown, listened);
    log.level = log.levels.labels[least] ?? 'silent';
  };
  const tell = (line: string) => {
    try {
      listener?.(line);
    } catch (fault) {
      listener = undefined;
      listened = Number.POSITIVE_INFINITY;
      // Not within the entry that is being written.
      queueMicrotask(() => {
        adjust();
        log.error({ err: fault }, 'a fault in this program: the lab gets no log entries any more');
      });
    }
  };
  return {
    log,
    listen(newListener, level) {
      listener = newListener;
      listened = severity(level);
      adjust();
    },
    setLevel(level) {
      shown = severity(level);
      adjust();
    },
  };
}

function formatter({ format, colour, write }: LogTarget): (line: string) => void {
  if (format === 'json') return write;
  const readable = pretty.prettyFactory({
    ignore: 'pid,hostname,node',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    colorize: colour,
  });
  return (line) => write(readable(line));
}

/** pino's number of a level; more severe is higher. */
function severity(level: LogLevel): number {
  return pino.levels.values[level] ?? Number.POSITIVE_INFINITY;
}
