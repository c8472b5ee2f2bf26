import { lstat, readFile, unlink } from 'node:fs/promises';
import { createConnection } from 'node:net';

/** The Unix sockets of this network namespace (proc(5)); the flag of a listening one, and its path at the end of the line. */
const socketTable = '/proc/net/unix';
const listeningFlags = '00010000';

/**
 * Removes the socket file of a program that has ended without removing it.
 * @throws Error when a program listens at the path, or something else than a socket is there.
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error('another file is there, which is no socket');
  if ((await isListed(path)) || (await answers(path)))
    throw new Error('another program listens there');
  await unlink(path);
}

/** Without a connection: another gateway would take that for its side. */
async function isListed(path: string): Promise<boolean> {
  const table = await readFile(socketTable, 'utf8').catch(() => '');
  return table
    .split('\n')
    .some((line) => line.endsWith(` ${path}`) && line.split(' ')[3] === listeningFlags);
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
