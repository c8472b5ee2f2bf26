import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const venv = path.join(root, 'build/peers/recordings');
const readers = [
  'mcap==1.6.0',
  'mcap-ros2-support==0.6.0',
  'rosbags==0.11.9',
  'pymcap-cli==0.34.0',
];
const run = promisify(execFile);

/** What the readers in Python say of a file. */
interface Read {
  readonly counts: Readonly<Record<string, number>>;
  /** Lowest and highest log time, ns. */
  readonly first: string;
  readonly last: string;
  /** Whether no log time is below the one before. */
  readonly rises: boolean;
  /** Messages of which the two decoders make different values. */
  readonly different: number;
  /** Attached texts by name. */
  readonly attached: Readonly<Record<string, string>>;
  /** Topic and value of each sample, in order; integers as text. */
  readonly samples: readonly (readonly [string, unknown])[];
}

/** Installs programs of others that read recordings, where they are not there yet: for `beforeAll`. */
export function installReaders(): void {
  if (existsSync(path.join(venv, 'bin/pymcap-cli'))) return;
  execFileSync('python3', ['-m', 'venv', venv]);
  execFileSync(path.join(venv, 'bin/pip'), ['install', '--quiet', ...readers]);
}

/** Most that the installation may take, ms. */
export const installationMs = 300_000;

/** Recordings as mcap, mcap-ros2-support and rosbags read them. */
export function readByOthers(...files: string[]): Read[] {
  const script = path.join(root, 'test/interop/python/recordings.py');
  const options = { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const;
  const text = execFileSync(path.join(venv, 'bin/python'), [script, ...files], options);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Read);
}

/** The last lines of `pymcap-cli doctor`; its exit code is 0 also with warnings. */
export async function doctor(file: string): Promise<string> {
  const { stdout } = await run(path.join(venv, 'bin/pymcap-cli'), ['doctor', file], {
    env: { ...process.env, COLUMNS: '400' },
  });
  return stdout;
}
