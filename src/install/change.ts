import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { HlcError } from '../errors/index.js';

/** One step of an installation or of its undo. */
export interface Change {
  /** What it does, in the infinitive: "write … (executable)". */
  readonly text: string;
  readonly apply: () => void;
}

/** Moves a file; one of the new name is replaced. */
export function moveFile(from: string, to: string, why: string): Change {
  return {
    text: `rename ${from} to ${path.basename(to)}: ${why}`,
    apply: () => renameSync(from, to),
  };
}

/**
 * Writes a file as a whole, so that a program that reads it meets the old or the new text.
 * @param mode permissions of the file; those that it has when left out.
 */
export function writeText(file: string, text: string, why: string, mode?: number): Change {
  return {
    text: `write ${file}: ${why}`,
    apply: () => {
      mkdirSync(path.dirname(file), { recursive: true });
      const kept = mode ?? (existsSync(file) ? statSync(file).mode : 0o644);
      const temporary = `${file}.new`;
      writeFileSync(temporary, text);
      chmodSync(temporary, kept);
      renameSync(temporary, file);
    },
  };
}

export function removeFile(file: string, why: string): Change {
  return { text: `remove ${file}: ${why}`, apply: () => rmSync(file) };
}

/**
 * Carries the changes out, in their order.
 * @param done called after each one.
 * @throws HlcError `HLC_INSTALL_CHANGE`; the changes before it stay.
 */
export function applyChanges(changes: readonly Change[], done: (change: Change) => void): void {
  for (const change of changes) {
    try {
      change.apply();
    } catch (cause) {
      throw new HlcError(
        'HLC_INSTALL_CHANGE',
        { change: change.text, cause: (cause as Error).message },
        { cause },
      );
    }
    done(change);
  }
}
