import { shellQuoted } from './installation.js';

const first = '# >>> hlc-middleware';
const last = '# <<< hlc-middleware';

/** What the block in the lab's build script runs. */
export interface BuildHook {
  /** What the shell runs to start `hlc-middleware`. */
  readonly command: string;
  /** Folder of the lab's software. */
  readonly labFolder: string;
  /** Folder of the packages for the computers of the lab. */
  readonly packages: string;
}

/**
 * The lab's build script with a block that installs this middleware again at the end of each build,
 * also of one that failed. The trap keeps the exit code of the build.
 */
export function withHook(script: string, hook: BuildHook): string {
  const { command, labFolder, packages } = hook;
  const words = `install-cpm-lab ${shellQuoted(labFolder)} --packages ${shellQuoted(packages)} --apply`;
  const block = [
    first,
    '# Each build writes middleware/build/middleware; this installs hlc-middleware again after it.',
    'install_hlc_middleware() {',
    `  ${command} ${words}`,
    '}',
    'trap install_hlc_middleware EXIT',
    last,
    '',
  ].join('\n');
  const plain = withoutHook(script);
  const shebang = /^#!.*\n/.exec(plain)?.[0] ?? '';
  return shebang + block + plain.slice(shebang.length);
}

/** The lab's build script without that block. */
export function withoutHook(script: string): string {
  const from = script.indexOf(`${first}\n`);
  const to = script.indexOf(`${last}\n`, from);
  if (from < 0 || to < 0) return script;
  return script.slice(0, from) + script.slice(to + last.length + 1);
}
