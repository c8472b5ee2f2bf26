import { once } from 'node:events';
import { lstat, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { isWaitingReader } from '../../tap/index.js';

/** Readers that are waited for. */
const mostReaders = 8;

/** A reader that does not come delays the session by this time at most, ms. */
const longestMs = 1000;

/**
 * Connects to the sockets of the readers that wait for this tap, and settles when each reads the tap or is
 * gone, or after a second. So a reader that was started before the middleware has the first event.
 * @param tap path of a tap that listens.
 */
export async function awaitReaders(tap: string): Promise<void> {
  const folder = path.dirname(tap);
  const names = await readdir(folder).catch((): string[] => []);
  const waiting = names
    .map((name) => path.join(folder, name))
    .filter((file) => isWaitingReader(tap, file));
  await Promise.all(waiting.slice(0, mostReaders).map(awaitReader));
}

/** A reader closes the connection when it reads the tap; one that is gone has left its file. */
async function awaitReader(file: string): Promise<void> {
  const owner = await lstat(file).then(
    ({ uid }) => uid,
    () => undefined,
  );
  // A reader of another user cannot read the tap.
  if (owner !== process.getuid?.()) return;
  const socket = connect({ path: file });
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ECONNREFUSED') void rm(file, { force: true });
  });
  socket.resume();
  await once(socket, 'close', { signal: AbortSignal.timeout(longestMs) }).catch(() => undefined);
  socket.destroy();
}
