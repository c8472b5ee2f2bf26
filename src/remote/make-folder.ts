import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder, and those above it, for this user alone; nothing happens to one that exists. The
 * recursive `mkdir` of Node 20 never ends where the file system has no such folder and makes none, as /proc.
 * @throws Error of the file system.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder);
  } catch (error) {
    const above = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error;
    await makeFolder(above);
    await makeOne(folder);
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
