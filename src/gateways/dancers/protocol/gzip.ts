import { constants, gunzipSync, gzipSync } from 'node:zlib';

import { Refusal } from '../../refusal.js';

/** Longest content after inflating, bytes: a few bytes can claim gigabytes. */
export const mostInflatedBytes = 64 * 1024 * 1024;

/** @returns gzip of the bytes; nothing for nothing, as in DANCERS. */
export function deflate(bytes: Uint8Array): Uint8Array {
  // The fastest level: both programs are on one machine.
  return bytes.length === 0 ? bytes : gzipSync(bytes, { level: constants.Z_BEST_SPEED });
}

/**
 * @returns the content of gzip; nothing for nothing.
 * @throws Refusal for bytes that are no gzip, and for a content of more than 64 MiB.
 */
export function inflate(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: mostInflatedBytes });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Refusal(
      code === 'ERR_BUFFER_TOO_LARGE'
        ? `its gzip has more than ${mostInflatedBytes} bytes after inflating`
        : 'its bytes are no gzip',
      { cause },
    );
  }
}
