import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const sourceFolder = join(here, 'peer');
const buildFolder = join(root, 'build/conformance');

/** The folder of the C program's sources and the one of the IDL files that it is made from. */
const inputFolders = [sourceFolder, join(root, 'idl')];

/**
 * Builds the C program of the conformance test with cmake, unless it is newer than everything it
 * is made from.
 * @returns its path
 * @throws Error with the output of cmake when the build fails.
 */
export function buildPeer(): string {
  const program = join(buildFolder, 'conformance-peer');
  if (existsSync(program) && statSync(program).mtimeMs > newestInput()) return program;
  cmake('-S', sourceFolder, '-B', buildFolder, '-DCMAKE_BUILD_TYPE=Release');
  cmake('--build', buildFolder, '--parallel', '2');
  return program;
}

function newestInput(): number {
  const files = inputFolders.flatMap((folder) => [
    folder,
    ...readdirSync(folder).map((name) => join(folder, name)),
  ]);
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}

function cmake(...args: string[]): void {
  execFileSync('cmake', args, { stdio: 'pipe', encoding: 'utf8' });
}
