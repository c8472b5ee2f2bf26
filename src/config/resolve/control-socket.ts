import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';

import type { Environment } from '../sources/environment.js';
import { LONGEST_SOCKET_PATH } from '../options/value-types.js';

const ENDING = '.sock';
const HASH_DIGITS = 8;

/**
 * The path of the control socket.
 * @param choice `auto`, `off` or a path.
 * @param environment `XDG_RUNTIME_DIR` is the folder of this user's sockets (XDG Base Directory
 *   Specification), when it is an absolute path that leaves room for a name.
 * @param userId number of the user who runs the process.
 * @returns null for `off`.
 */
export const controlSocketPath = (
  choice: string,
  nodeId: string,
  environment: Environment,
  userId: number,
): string | null => {
  if (choice === 'off') return null;
  if (choice !== 'auto') return choice;
  const runtimeFolder = environment.XDG_RUNTIME_DIR ?? '';
  const own = join(runtimeFolder, 'hlc-middleware');
  const folder =
    isAbsolute(runtimeFolder) && roomIn(own) > HASH_DIGITS
      ? own
      : join('/tmp', `hlc-middleware-${userId}`);
  return join(folder, fileName(nodeId, roomIn(folder)) + ENDING);
};

/** Bytes that are left for the name of a socket in this folder. */
const roomIn = (folder: string): number =>
  LONGEST_SOCKET_PATH - Buffer.byteLength(folder) - '/'.length - ENDING.length;

/** The node id as a file name; one that is too long ends with a hash in place of its rest. */
const fileName = (nodeId: string, room: number): string => {
  const name = nodeId.replace(/[^\w.,-]/gu, encodeURIComponent);
  if (name.length <= room) return name;
  const hash = createHash('sha256').update(nodeId).digest('hex').slice(0, HASH_DIGITS);
  return name.slice(0, room - HASH_DIGITS) + hash;
};
