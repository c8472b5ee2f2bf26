import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { lstatSync, unlinkSync } from 'node:fs';
import { connect, type Server } from 'node:net';

import { HlcError } from '../errors/index.js';
import { causeOf } from './socket-path.js';

/**
 * Makes a server listen at a socket that only this user may connect to. The file of a process that
 * ended without removing it is replaced.
 * @throws HlcError `HLC_CONTROL_BUSY` when a process listens there, else `HLC_CONTROL_SOCKET`.
 */
export async function listen(server: Server, path: string): Promise<void> {
  try {
    await tryListen(server, path).catch(async (error: unknown) => {
      if (codeOf(error) !== 'EADDRINUSE') throw error;
      await removeStale(path);
      await tryListen(server, path);
    });
    await chmod(path, 0o600);
    // A connection that cannot be accepted is no fault of the process.
    server.on('error', () => undefined);
  } catch (error) {
    server.close();
    if (error instanceof HlcError) throw error;
    // Another process was faster after the stale file was gone.
    if (codeOf(error) === 'EADDRINUSE') throw new HlcError('HLC_CONTROL_BUSY', { path });
    throw new HlcError('HLC_CONTROL_SOCKET', { path, cause: causeOf(error) }, { cause: error });
  }
}

async function tryListen(server: Server, path: string): Promise<void> {
  const listening = once(server, 'listening');
  server.listen({ path });
  await listening;
}

/** Removes the file when it is a socket without a listener. */
async function removeStale(path: string): Promise<void> {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before?.isSocket() === false) throw new Error('there is a file that is no socket');
  if (await isListening(path)) throw new HlcError('HLC_CONTROL_BUSY', { path });
  // Not when another process replaced it in the meantime.
  const now = lstatSync(path, { throwIfNoEntry: false });
  if (now !== undefined && now.ino === before?.ino) unlinkSync(path);
}

async function isListening(path: string): Promise<boolean> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    if (codeOf(error) === 'ECONNREFUSED' || codeOf(error) === 'ENOENT') return false;
    throw error;
  } finally {
    socket.destroy();
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
