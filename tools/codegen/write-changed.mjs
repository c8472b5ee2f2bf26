import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes a file unless it already has this text, so that its time stamp shows a real change.
 * @param {string} path
 * @param {string} text
 * @returns {boolean} whether it was written
 */
export function writeChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return true;
}

/**
 * Makes a folder hold exactly these files: writes those that differ and removes all others.
 * @param {string} folder
 * @param {Map<string, string>} files text by file name
 * @returns {number} how many files were written or removed
 */
export function syncFolder(folder, files) {
  let changes = 0;
  for (const [name, text] of files) if (writeChanged(join(folder, name), text)) changes++;
  for (const name of readdirSync(folder)) {
    if (files.has(name)) continue;
    rmSync(join(folder, name), { recursive: true });
    changes++;
  }
  return changes;
}
