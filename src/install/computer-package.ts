import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Change } from './change.js';
import type { Installation } from './installation.js';
import { isOurScript, packagedScript } from './start-script.js';

/** Name of the package and of its only folder, as the computers of the lab expect them. */
const packageFolder = 'middleware_package';
export const packageName = `${packageFolder}.tar.gz`;

/** Node.js alone has 100 MB; each build of the lab makes the package anew. */
const fastGzip = ['--use-compress-program', 'gzip -1', '-cf'];

const scriptInPackage = `${packageFolder}/middleware`;
/** Files and folders of this project that a run needs. */
const runtimeFiles = ['package.json', 'dist', 'idl', 'qos', 'build/native/hlc_dds.node'];
/** Libraries of the system itself: those of another computer must not replace them. */
const systemLibrary = /^(ld-linux|linux-vdso|lib(c|m|dl|rt|pthread|resolv|util)\.so)/;

/** True for a package that this program made. */
export function isOurPackage(file: string): boolean {
  try {
    const args = ['-xzOf', file, scriptInPackage];
    return isOurScript(execFileSync('tar', args, { encoding: 'latin1', stdio: 'pipe' }));
  } catch {
    // No package, or one without that file.
    return false;
  }
}

/**
 * The package that the computers of the lab download and unpack at boot: the script, Node.js, the
 * libraries that this computer has and they may lack, and this project without what only
 * developers need.
 */
export function makePackage(file: string, installation: Installation, qosTemplate: string): Change {
  return {
    text: `write ${file}: the script, Node.js and this project, for the computers of the lab`,
    apply: () => {
      const scratch = mkdtempSync(path.join(tmpdir(), 'hlc-middleware-package-'));
      try {
        const folder = path.join(scratch, packageFolder);
        fillPackage(folder, installation);
        cpSync(qosTemplate, path.join(folder, path.basename(qosTemplate)));
        execFileSync('tar', [...fastGzip, `${file}.new`, '-C', scratch, packageFolder], {
          stdio: 'pipe',
        });
        renameSync(`${file}.new`, file);
      } finally {
        rmSync(scratch, { recursive: true });
        rmSync(`${file}.new`, { force: true });
      }
    },
  };
}

function fillPackage(folder: string, { root, node }: Installation): void {
  const project = path.join(folder, 'hlc-middleware');
  for (const name of ['bin', 'lib']) mkdirSync(path.join(project, name), { recursive: true });
  const script = path.join(folder, 'middleware');
  writeFileSync(script, packagedScript());
  chmodSync(script, 0o755);
  cpSync(node, path.join(project, 'bin/node'), { dereference: true });
  for (const name of runtimeFiles) copy(path.join(root, name), path.join(project, name));
  for (const dependency of dependenciesOf(root)) {
    copy(dependency, path.join(project, 'node_modules', nameOf(dependency)));
  }
  const addOn = path.join(root, 'build/native/hlc_dds.node');
  for (const library of librariesOf(node, addOn)) {
    copy(library, path.join(project, 'lib', path.basename(library)));
  }
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, dereference: true });
}

/** Folders of the packages that a run needs, directly or through others; each name once. */
function dependenciesOf(root: string): readonly string[] {
  const found = new Map<string, string>();
  const visit = (folder: string) => {
    const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
    for (const name of Object.keys(dependencies)) {
      if (found.has(name)) continue;
      const dependency = locate(name, folder);
      found.set(name, dependency);
      visit(dependency);
    }
  };
  visit(root);
  return [...found.values()];
}

/** The folder of a package as Node.js finds it from another one. */
function locate(name: string, from: string): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name);
    if (existsSync(path.join(candidate, 'package.json'))) return candidate;
    if (folder === path.dirname(folder)) throw new Error(`the package ${name} is not installed`);
  }
}

/** `name` or `@scope/name` of the package in this folder. */
function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length);
}

/** Shared libraries that these files need and that are not part of the system itself. */
function librariesOf(...files: readonly string[]): ReadonlySet<string> {
  const lines = files.flatMap((file) =>
    execFileSync('ldd', [file], { encoding: 'utf8', stdio: 'pipe' }).split('\n'),
  );
  const libraries = lines.flatMap((line) => /^\s*(\S+) => (\/\S+)/.exec(line)?.[2] ?? []);
  return new Set(libraries.filter((library) => !systemLibrary.test(path.basename(library))));
}
