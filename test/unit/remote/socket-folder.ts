import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { HlcError } from '../../../src/errors/index.js';

/** Makes a folder for the sockets of one test; it is gone after the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join('/tmp', 'hlc-control-'));
  folders.push(folder);
  return folder;
};

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** For a socket, in a folder of its own. */
export const socketPath = (): string => join(temporaryFolder(), 'a.sock');

/** What `toThrow` accepts: an error with this code and this text in its message. */
export function withCode(code: string, text = ''): HlcError {
  const message = expect.stringContaining(text) as string;
  return expect.objectContaining({ code, message }) as HlcError;
}
