import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const buildFolder = fileURLToPath(new URL('../../build/', import.meta.url));

/** A new folder that is gone with all that is in it when the test is over. */
export function temporaryFolder(): string {
  return newFolder(path.join(tmpdir(), 'hlc-middleware-test-'));
}

/** The same in this project: there its package has its name, for `import` and for `npx`. */
export function folderInProject(): string {
  return newFolder(path.join(buildFolder, 'docs-'));
}

function newFolder(prefix: string): string {
  const folder = mkdtempSync(prefix);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
