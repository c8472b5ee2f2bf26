import { isDeepStrictEqual } from 'node:util';

import { CdrError, type Codec } from '../../src/messages/index.js';
import { parseDump } from './parse-dump.js';

/** What the codec refuses and Cyclone DDS lets pass, by the words of the CdrError. */
const strictness = /UTF-8|one NUL|follow the last value/;

/**
 * Compares how the codec and Cyclone DDS take the same bytes: both refuse them, or both read the
 * same value, or the codec alone refuses them because it is stricter with strings and with what
 * follows the sample.
 * @param dump what Cyclone read, undefined when it refused the sample
 * @returns what differs, undefined when nothing does
 * @throws what the codec throws besides CdrError
 */
export function disagreement(
  codec: Codec<unknown>,
  bytes: Uint8Array,
  dump: Buffer | undefined,
): string | undefined {
  let value: unknown;
  try {
    value = codec.decode(bytes);
  } catch (error) {
    if (!(error instanceof CdrError)) throw error;
    if (dump === undefined || strictness.test(error.message)) return undefined;
    return `Only the codec refuses it: ${error.message}`;
  }
  if (dump === undefined) return 'Only Cyclone DDS refuses it.';
  const same = isDeepStrictEqual(parseDump(dump.toString()), value);
  return same ? undefined : 'Both read it, but not as the same value.';
}
