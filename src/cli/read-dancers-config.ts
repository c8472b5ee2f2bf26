import { readFileSync } from 'node:fs';

import { HlcError } from '../errors/index.js';

/** Reads a DANCERS configuration. @throws HlcError `HLC_CONFIG_FILE_READ`. */
export function readDancersConfig(path: string): { path: string; text: string } {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const cause = (error as Error).message;
    throw new HlcError('HLC_CONFIG_FILE_READ', { path, cause }, { cause: error });
  }
}
