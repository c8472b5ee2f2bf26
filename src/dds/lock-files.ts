import { loadNative } from './native.js';

/**
 * Keeps the programs of this process in memory, page by page as they come into use. Otherwise the system drops pages
 * that were not used for a while, and a thread that needs one again waits for the disk, which others may keep busy.
 * What the system refuses stays as it is: most users may lock 8 MiB only.
 */
export function lockFiles(): void {
  loadNative().lockFiles();
}
