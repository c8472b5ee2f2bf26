import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Scalar } from 'yaml';

import { HlcError } from '../../errors/index.js';
import { shorten, type Assignment } from './assignment.js';
import { checksKey, type ChecksByName } from '../options/check-options.js';
import { flagNames, keyOfFlag } from './command-line.js';
import { readChecks } from './file-checks.js';
import { nearestName } from './nearest-name.js';

/** Gives the text of a file. It throws when the file cannot be read. */
export type ReadFile = (path: string) => string;

/** What a configuration file says. */
export interface FileContent {
  readonly assignments: readonly Assignment[];
  readonly checks: ChecksByName;
}

/** A file cannot name a further file. */
const fileKeys = [...flagNames.filter((name) => name !== 'config'), checksKey];

const checksRule = `"${checksKey}" must hold "name-of-check: reject" or "name-of-check: flag" lines`;

/** A scalar as it is written, so that the file obeys the same rules as the command line. */
function textOf(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value);
}

/**
 * Reads a configuration file: one YAML mapping from flags (without dashes, in either spelling) to a
 * value or a list of values, and from `checks` to the policies of single checks.
 * @throws HlcError `HLC_CONFIG_FILE_READ`, `HLC_CONFIG_FILE_CONTENT`, `HLC_CONFIG_UNKNOWN_NAME`,
 *   `HLC_CONFIG_VALUE` (of a check).
 */
export function readConfigFile(path: string, readFile: ReadFile): FileContent {
  const lines = new LineCounter();
  const document = parseDocument(read(path, readFile), { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  const refuse = (offset: number, cause: string): HlcError =>
    new HlcError('HLC_CONFIG_FILE_CONTENT', { path, line: lineOf(offset), cause });

  const [error] = document.errors;
  if (error !== undefined) throw refuse(error.pos[0], shorten(error.message));
  const root = document.contents;
  if (root === null) return { assignments: [], checks: {} };
  if (!isMap(root)) throw refuse(root.range[0], 'it must hold "key: value" lines');

  let checks: ChecksByName = {};
  const assignments: Assignment[] = [];
  for (const { key: keyNode, value } of root.items) {
    const offset = keyNode.range[0];
    const place = `${path}:${lineOf(offset)}`;
    const name = isScalar(keyNode) ? textOf(keyNode) : keyNode.toString();
    if (name === checksKey) {
      const given = readChecks(value, (at) => `${path}:${lineOf(at)}`);
      if (given === undefined) throw refuse(offset, checksRule);
      checks = given;
      continue;
    }
    const key = name.replaceAll('_', '-') === 'config' ? undefined : keyOfFlag(name);
    if (key === undefined) {
      const nearest = nearestName(name, fileKeys);
      throw new HlcError('HLC_CONFIG_UNKNOWN_NAME', {
        what: `key "${shorten(name)}" in ${place}`,
        ...(nearest === undefined ? {} : { nearest: `"${nearest}"` }),
      });
    }
    const items = isSeq(value) ? value.items : [value];
    const text = items.map((item) => {
      if (isScalar(item)) return textOf(item);
      throw refuse(offset, `"${name}" must have a value or a list of values`);
    });
    const origin = { kind: 'file', path, line: lineOf(offset) } as const;
    assignments.push({ key, text: text.join(','), origin });
  }
  return { assignments, checks };
}

function read(path: string, readFile: ReadFile): string {
  try {
    return readFile(path);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new HlcError('HLC_CONFIG_FILE_READ', { path, cause: shorten(cause) }, { cause: error });
  }
}
