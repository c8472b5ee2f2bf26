import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChildProgram } from '../../support/child-program.js';
import { isolatedCycloneUri } from '../../support/isolation.js';

const root = path.resolve(import.meta.dirname, '../../..');
const source = path.join(root, 'ros2/hlc_middleware');
let prefix: string;
let wrapper: string;

/** As colcon installs the package. */
beforeAll(() => {
  prefix = mkdtempSync(path.join(tmpdir(), 'hlc-middleware-package-'));
  wrapper = path.join(prefix, 'lib/hlc_middleware/hlc-middleware');
  const program = path.join(prefix, 'share/hlc_middleware/program');
  mkdirSync(path.dirname(wrapper), { recursive: true });
  cpSync(path.join(source, 'hlc-middleware'), wrapper);
  // With ROS 2 its messages are generated, which takes a while.
  const env = { ...process.env, AMENT_PREFIX_PATH: '' };
  execFileSync(process.execPath, [path.join(source, 'copy-program.mjs'), root, program], { env });
});

afterAll(() => rmSync(prefix, { recursive: true }));

it('has no path of the folder that it was built in', () => {
  const files = readdirSync(prefix, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  expect(files.length).toBeGreaterThan(100);
  const naming = files.filter((file) => readFileSync(file).includes(`${root}/`));
  expect(naming).toEqual([]);
});

it('runs away from that folder, and ends with 0 after Ctrl-C', async () => {
  const flags = ['--controller-transport=dds', '--period-ms=50', '--control-socket=off'];
  const program = new ChildProgram('the package', wrapper, flags, isolatedCycloneUri());
  await program.stderr.until((line) => line.includes('waiting for controllers'));
  program.signal('SIGINT');
  expect(await program.ended).toEqual({ code: 0, signal: null });
});

it('ends with another code after SIGTERM, and after Ctrl-C where the user says so', async () => {
  const flags = ['--controller-transport=dds', '--period-ms=50', '--control-socket=off'];
  const variables = { HLC_MIDDLEWARE_INTERRUPT_EXIT_CODE: '130' };
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    const program = new ChildProgram('the package', wrapper, flags, isolatedCycloneUri(), {
      variables,
    });
    await program.stderr.until((line) => line.includes('waiting for controllers'));
    program.signal(signal);
    expect(await program.ended).toEqual({ code, signal: null });
  }
});
