import { createHash } from 'node:crypto';
import { dirname, isAbsolute, join } from 'node:path';

import type { Environment } from '../sources/environment.js';
import { longestSocketPath } from '../options/value-types.js';
import type { ControlSocketSettings } from './run-config.js';

const ending = '.sock';
const hashDigits = 8;

/**
 * The control socket.
 * @param choice `auto`, `off` or a path.
 * @param environment `XDG_RUNTIME_DIR` is the folder of this user's sockets (XDG Base Directory
 *   Specification), when it is an absolute path that leaves room for a name.
 * @param userId number of the user who runs the process.
 * @returns null for `off`.
 */
export function resolveControlSocket(
  choice: string,
  nodeId: string,
  environment: Environment,
  userId: number,
): ControlSocketSettings | null {
  if (choice === 'off') return null;
  if (choice !== 'auto') return { path: choice, isRequired: true };
  const runtimeFolder = environment.XDG_RUNTIME_DIR ?? '';
  const own = join(runtimeFolder, 'hlc-middleware');
  const folder =
    isAbsolute(runtimeFolder) && roomIn(own) > hashDigits
      ? own
      : join('/tmp', `hlc-middleware-${userId}`);
  return { path: join(folder, fileName(nodeId, roomIn(folder)) + ending), isRequired: false };
}

/** Path of the control socket that another node has in the folder of this one, unless its user named one. */
export function siblingSocket(socket: string, nodeId: string): string {
  const folder = dirname(socket);
  return join(folder, fileName(nodeId, roomIn(folder)) + ending);
}

/** Bytes that are left for the name of a socket in this folder. */
function roomIn(folder: string): number {
  return longestSocketPath - Buffer.byteLength(folder) - '/'.length - ending.length;
}

/** The node id as a file name; one that is too long ends with a hash in place of its rest. */
function fileName(nodeId: string, room: number): string {
  const name = nodeId.replace(/[^\w.,-]/gu, encodeURIComponent);
  if (name.length <= room) return name;
  const hash = createHash('sha256').update(nodeId).digest('hex').slice(0, hashDigits);
  return name.slice(0, room - hashDigits) + hash;
}
