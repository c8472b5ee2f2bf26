import { once } from 'node:events';
import { pino } from 'pino';

/** Standard output, written by a thread of its own. */
export interface ThreadedOutput {
  /** Absent where it is no terminal. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly isTTY: boolean;
  write(text: string): void;
  /** Settles when all is written. */
  close(): Promise<void>;
}

const standardOutput = 1;

/**
 * Opens standard output so that nobody who holds it up (a terminal on Ctrl+S, a pipe that is not
 * read) holds up this thread: Node writes to terminals synchronously.
 */
export function openThreadedOutput(): ThreadedOutput {
  const thread = pino.transport<{ destination: number }>({
    target: 'pino/file',
    options: { destination: standardOutput },
  });
  return {
    get columns() {
      return process.stdout.isTTY ? process.stdout.columns : undefined;
    },
    get rows() {
      return process.stdout.isTTY ? process.stdout.rows : undefined;
    },
    isTTY: process.stdout.isTTY,
    write: (text) => void thread.write(text),
    async close() {
      const closed = once(thread, 'close');
      thread.end();
      await closed;
    },
  };
}
