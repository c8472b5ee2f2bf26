import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { HlcError } from '../errors/index.js';
import { causeOf } from './cause-of.js';

const groupOrOthersMayWrite = 0o022;
const onlyOwnersMayRemove = 0o1000;

/**
 * Makes the folder of a socket, for this user alone, unless it exists. In one that exists nobody
 * else may be able to put a socket of his own in the place of ours.
 * @throws HlcError `HLC_CONTROL_SOCKET`.
 */
export async function prepareFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const refuse = (cause: string, error?: unknown) =>
    new HlcError('HLC_CONTROL_SOCKET', { path, cause }, { cause: error });
  const { uid, mode } = await mkdir(folder, { recursive: true, mode: 0o700 })
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
