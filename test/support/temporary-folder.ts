import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder that is gone with all that is in it when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hlc-middleware-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
