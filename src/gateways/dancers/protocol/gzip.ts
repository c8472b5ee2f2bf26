import { constants, crc32, gunzipSync, gzipSync } from 'node:zlib';

import { Refusal } from '../../refusal.js';

/** Longest content after inflating, bytes: a few bytes can claim gigabytes. */
export const mostInflatedBytes = 64 * 1024 * 1024;

/** RFC 1952: gzip with deflate, no flags, no time, fastest level, unknown system. */
const head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff] as const;
/** RFC 1951: the only and last block, whose bytes are stored. Its length and the complement follow. */
const storedBlock = 1;
const mostStoredBytes = 0xffff;
const storedHeadBytes = head.length + 5;
/** CRC and length of the content. */
const trailerBytes = 8;

/**
 * Small contents are stored, which takes a tenth of the time of the fastest compression: both programs
 * are on one machine.
 * @returns gzip of the bytes; nothing for nothing, as in DANCERS.
 */
export function toGzip(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length === 0) return bytes;
  if (length > mostStoredBytes) return gzipSync(bytes, { level: constants.Z_BEST_SPEED });
  const out = Buffer.allocUnsafe(storedHeadBytes + length + trailerBytes);
  out.set(head);
  out.writeUInt8(storedBlock, head.length);
  out.writeUInt16LE(length, head.length + 1);
  out.writeUInt16LE(mostStoredBytes - length, head.length + 3);
  out.set(bytes, storedHeadBytes);
  out.writeUInt32LE(crc32(bytes), storedHeadBytes + length);
  out.writeUInt32LE(length, storedHeadBytes + length + 4);
  return out;
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
