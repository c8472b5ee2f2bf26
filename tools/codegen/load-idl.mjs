import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} IdlFile
 * @property {string} name file name, for example `Header.idl`
 * @property {string} text its contents without the preprocessor's lines
 */

const include = /^[ \t]*#[ \t]*include[ \t]+"([^"]+)"/gm;
const preprocessorLine = /^[ \t]*#.*$/gm;

/**
 * Reads every `*.idl` file of a folder, in an order in which each file comes after those that it
 * includes. Of the preprocessor's lines only `#include "File.idl"` means anything; the include
 * guards drop out because each file is read once.
 * @param {string} folder
 * @returns {IdlFile[]}
 * @throws {Error} when an included file is missing or files include each other.
 */
export function loadIdl(folder) {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.idl'))
    .sort();
  /** @type {Map<string, IdlFile>} */
  const done = new Map();
  /** @type {Set<string>} */
  const open = new Set();

  /** @param {string} name @param {string} from */
  const load = (name, from) => {
    if (done.has(name)) return;
    if (!names.includes(name)) throw new Error(`${from} includes ${name}, which is not there.`);
    if (open.has(name)) throw new Error(`${name} includes itself, by way of ${from}.`);
    open.add(name);
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, included = ''] of text.matchAll(include)) load(included, name);
    done.set(name, { name, text: text.replaceAll(preprocessorLine, '') });
  };

  for (const name of names) load(name, folder);
  return [...done.values()];
}
