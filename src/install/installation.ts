import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What starts this program: the folders and files that an installation refers to or copies. */
export interface Installation {
  /** Folder of this project. */
  readonly root: string;
  /** Program file of Node.js. */
  readonly node: string;
}

/** The program that is running. */
export function runningInstallation(): Installation {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return { root: path.resolve(root), node: process.execPath };
}

/** What the shell runs to start `hlc-middleware`. */
export function commandOf({ root, node }: Installation): string {
  return `${shellQuoted(node)} ${shellQuoted(path.join(root, 'dist/cli/main.js'))}`;
}

/** One word of the shell, whatever it holds. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
