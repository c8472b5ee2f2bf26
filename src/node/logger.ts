import { pino, stdTimeFunctions, symbols, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { OutputSettings } from '../config/index.js';
import { printable } from '../core/index.js';

export type { Logger };

type LogLevel = OutputSettings['logLevel'];

/** Of one sentence in a readable log. */
export const mostCharacters = 4000;

/** Where the lines of a log go, each with its line feed. It does not throw. */
export interface LogTarget {
  readonly format: 'json' | 'pretty';
  readonly colour: boolean;
  readonly write: (line: string) => void;
}

/** The log of one middleware. */
export interface NodeLog {
  readonly log: Logger;
  /** An entry of level `info` for the user alone: no listener gets it. For what others must not read. */
  showOnly(sentence: string): void;
  /**
   * Hands entries, as lines of JSON, to one more listener; a second call with it changes the level.
   * A listener that throws is removed.
   * @param level the least severe entries that it gets; `shown`: those that the user sees
   */
  listen(listener: (line: string) => void, level: LogLevel | 'shown'): void;
  /** From now on the user sees entries of this level. */
  setLevel(level: LogLevel): void;
}

/**
 * A log of JSON lines or readable lines. Calls of the log never throw because of the target or the
 * listener.
 */
export function createLog(nodeId: string, logLevel: LogLevel, target: LogTarget): NodeLog {
  const show = formatter(target);
  let shown = severity(logLevel);
  const listeners = new Map<(line: string) => void, LogLevel | 'shown'>();
  const leastOf = (level: LogLevel | 'shown') => (level === 'shown' ? shown : severity(level));
  let isForUserAlone = false;
  const destination = {
    // pino says in `lastLevel` how severe the next line is.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string): void {
      if (this.lastLevel >= shown) show(line);
      if (isForUserAlone) return;
      for (const [listener, level] of listeners) {
        if (this.lastLevel >= leastOf(level)) pass(listener, line);
      }
    },
  };
  const log = pino(
    {
      level: logLevel,
      base: { node: nodeId },
      timestamp: stdTimeFunctions.isoTime,
    },
    destination,
  );
  const adjust = () => {
    const least = Math.min(shown, ...[...listeners.values()].map(leastOf));
    log.level = log.levels.labels[least] ?? 'silent';
  };
  const pass = (listener: (line: string) => void, line: string) => {
    try {
      listener(line);
    } catch (fault) {
      listeners.delete(listener);
      // Not within the entry that is being written.
      queueMicrotask(() => {
        adjust();
        log.error(
          { err: fault },
          'a fault in this program: a listener gets no log entries any more',
        );
      });
    }
  };
  return {
    log,
    showOnly(sentence) {
      isForUserAlone = true;
      log.info(sentence);
      isForUserAlone = false;
    },
    listen(listener, level) {
      listeners.set(listener, level);
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
    // A sentence may name what a peer sent; the library escapes the details.
    messageFormat: (entry, key) => printable(String(entry[key]), mostCharacters),
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
