import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Scalar } from 'yaml';

import { HlcError } from '../core/errors/index.js';
import { shorten, type Assignment } from './assignment.js';
import { flagNames, keyOfFlag } from './command-line.js';
import { nearestName } from './nearest-name.js';

/** Gives the text of a file. It throws when the file cannot be read. */
export type ReadFile = (path: string) => string;

/** A file cannot name a further file. */
const fileKeys = flagNames.filter((name) => name !== 'config');

/** A scalar as it is written, so that the file obeys the same rules as the command line. */
const textOf = (scalar: Scalar): string => scalar.source ?? String(scalar.value);

/**
 * The assignments of a configuration file: one YAML mapping from flags (without dashes, in either
 * spelling) to a value or a list of values.
 * @throws HlcError `HLC_CONFIG_FILE_READ`, `HLC_CONFIG_FILE_CONTENT`, `HLC_CONFIG_UNKNOWN_NAME`.
 */
export const readConfigFile = (path: string, readFile: ReadFile): Assignment[] => {
  const lines = new LineCounter();
  const document = parseDocument(read(path, readFile), { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  const refuse = (offset: number, cause: string): HlcError =>
    new HlcError('HLC_CONFIG_FILE_CONTENT', { path, line: lineOf(offset), cause });

  const [error] = document.errors;
  if (error !== undefined) throw refuse(error.pos[0], shorten(error.message));
  const root = document.contents;
  if (root === null) return [];
  if (!isMap(root)) throw refuse(root.range[0], 'it must hold "key: value" lines');

  return root.items.map(({ key: keyNode, value }): Assignment => {
    const [offset] = keyNode.range;
    const name = isScalar(keyNode) ? textOf(keyNode) : keyNode.toString();
    const key = name.replaceAll('_', '-') === 'config' ? undefined : keyOfFlag(name);
    if (key === undefined) {
      const nearest = nearestName(name, fileKeys);
      throw new HlcError('HLC_CONFIG_UNKNOWN_NAME', {
        what: `key "${shorten(name)}" in ${path}:${lineOf(offset)}`,
        ...(nearest === undefined ? {} : { nearest: `"${nearest}"` }),
      });
    }
    const items = isSeq(value) ? value.items : [value];
    const text = items.map((item) => {
      if (isScalar(item)) return textOf(item);
      throw refuse(offset, `"${name}" must have a value or a list of values`);
    });
    return { key, text: text.join(','), origin: { kind: 'file', path, line: lineOf(offset) } };
  });
};

const read = (path: string, readFile: ReadFile): string => {
  try {
    return readFile(path);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new HlcError('HLC_CONFIG_FILE_READ', { path, cause: shorten(cause) }, { cause: error });
  }
};
