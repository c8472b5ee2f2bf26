import { lstat, unlink } from 'node:fs/promises';
import { createConnection } from 'node:net';

/**
 * Removes the socket file of a program that has ended without removing it.
 * @throws Error when a program listens at the path, or something else than a socket is there.
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error('another file is there, which is no socket');
  if (await answers(path)) throw new Error('another program listens there');
  await unlink(path);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
