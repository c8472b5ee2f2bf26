import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './paths.mjs';

/** Which step of the set-up last succeeded with which inputs. */
const stampFile = path.join(root, 'build/setup-stamps.json');

/** @returns {Record<string, string>} */
function readStamps() {
  try {
    /** @type {unknown} */
    const stamps = JSON.parse(readFileSync(stampFile, 'utf8'));
    return /** @type {Record<string, string>} */ (stamps);
  } catch {
    return {};
  }
}

/**
 * @param {string} folder
 * @returns {string[]} all files below, relative to the project
 */
function filesBelow(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(name) : [name];
  });
}

/**
 * A digest that changes when an input does: the contents of files, which a fresh clone or a
 * checkout of the same commit leaves equal.
 * @param {string[]} inputs files and folders, relative to the project
 * @param {string[]} others further texts that decide
 */
export function fingerprint(inputs, others) {
  const hash = createHash('sha256');
  for (const text of others) hash.update(`${text}\0`);
  for (const input of inputs) {
    const isFolder = statSync(path.join(root, input)).isDirectory();
    for (const file of isFolder ? filesBelow(input).sort() : [input]) {
      hash
        .update(`${file}\0`)
        .update(readFileSync(path.join(root, file)))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} step
 * @param {string} wanted fingerprint
 */
export function upToDate(step, wanted) {
  return readStamps()[step] === wanted;
}

/**
 * @param {string} step
 * @param {string} made fingerprint
 */
export function remember(step, made) {
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ ...readStamps(), [step]: made }, null, 2));
}
