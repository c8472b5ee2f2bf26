import { HlcError } from '../errors/index.js';

/** Bytes of the longest path that a local socket can have (Linux, unix(7): 108 with the NUL). */
const LONGEST_SOCKET_PATH = 107;

/**
 * Refuses a path that Node would cut short without a word.
 * @throws HlcError `HLC_CONTROL_SOCKET`.
 */
export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= LONGEST_SOCKET_PATH) return;
  const cause = `its path has ${bytes} bytes, and that of a socket has at most ${LONGEST_SOCKET_PATH}`;
  throw new HlcError('HLC_CONTROL_SOCKET', { path, cause });
}
