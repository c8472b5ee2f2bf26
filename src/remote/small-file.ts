import { constants } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from './make-folder.js';

/**
 * The text of a file beside a control socket; undefined when there is no such file.
 * @throws Error of the file system, or for a file with more bytes than this.
 */
export async function readSmallFile(file: string, mostBytes: number): Promise<string | undefined> {
  // Without waiting for the writer of a pipe, and not what a link of another user leads to.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const handle = await openIfThere(file, flags);
  if (handle === undefined) return undefined;
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw new Error('it is no file');
    if (status.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/**
 * Replaces a file beside a control socket as a whole: a reader finds the old text or the new one, also
 * after an error.
 * @throws Error of the file system.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  await makeFolder(path.dirname(file));
  const next = `${file}.${process.pid}`;
  await rm(next, { force: true });
  try {
    const handle = await open(next, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/**
 * Writes a text over the one that a file beside a control socket has. A text of the same length takes
 * no new room, so a full disk does not prevent it. The disk has it after {@link syncFile}.
 * @returns false when there is no such file, or its text has another length.
 * @throws Error of the file system.
 */
export async function overwriteFile(file: string, text: string): Promise<boolean> {
  const flags = constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const handle = await openIfThere(file, flags);
  if (handle === undefined) return false;
  try {
    const bytes = Buffer.from(text);
    const status = await handle.stat();
    if (!status.isFile() || status.size !== bytes.length) return false;
    await handle.write(bytes, 0, bytes.length, 0);
    return true;
  } finally {
    await handle.close();
  }
}

/**
 * Settles when the disk has what was written to a file, or when there is none. Other processes see it before.
 * @throws Error of the file system.
 */
export async function syncFile(file: string): Promise<void> {
  const flags = constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const handle = await openIfThere(file, flags);
  if (handle === undefined) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Undefined when there is no such file. */
async function openIfThere(file: string, flags: number): Promise<FileHandle | undefined> {
  return await open(file, flags).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}
