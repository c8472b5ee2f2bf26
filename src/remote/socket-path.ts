import { HlcError } from '../errors/index.js';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.js';

/** Bytes of the longest path that a local socket can have (Linux, unix(7): 108 with the NUL). */
const longestSocketPath = 107;

/**
 * Refuses a path that Node would cut short without a word.
 * @throws HlcError `HLC_CONTROL_SOCKET`.
 */
export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= longestSocketPath) return;
  const cause = `its path has ${bytes} bytes, and that of a socket has at most ${longestSocketPath}`;
  throw new HlcError('HLC_CONTROL_SOCKET', { path, cause });
}

const groupOrOthersMayWrite = 0o022;
const onlyOwnersMayRemove = 0o1000;

/**
 * Makes the folder of a socket, for this user alone, unless it exists. In one that exists no
 * other user may be able to replace the socket.
 * @throws HlcError `HLC_CONTROL_SOCKET`.
 */
export async function prepareFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const refuse = (cause: string, error?: unknown) =>
    new HlcError('HLC_CONTROL_SOCKET', { path, cause }, { cause: error });
  const { uid, mode } = await makeFolder(folder)
    .then(() => stat(folder))
    .catch((error: unknown) => {
      throw refuse(causeOf(error), error);
    });
  const othersMayReplace =
    (mode & groupOrOthersMayWrite) !== 0 && (mode & onlyOwnersMayRemove) === 0;
  const ownersWeTrust = [0, process.getuid?.()];
  if (!ownersWeTrust.includes(uid)) throw refuse(`the folder ${folder} belongs to another user`);
  if (othersMayReplace) throw refuse(`other users may write in the folder ${folder}`);
}

/** What an error of the operating system says, for the sentence of another error. */
export function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
