import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';

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
