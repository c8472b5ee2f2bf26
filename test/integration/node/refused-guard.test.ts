import path from 'node:path';
import { expect, it } from 'vitest';
import { Middleware } from '../../support/middleware.js';
import { programsOf } from '../../support/programs-of.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTestLab } from '../../support/test-lab.js';

it('a run that is refused leaves no guard behind', async () => {
  const lab = openTestLab();
  const flags = [
    ...['--vehicle-ids=1', '--period-ms=50'],
    `--control-socket=${path.join(temporaryFolder(), 'lab.sock')}`,
  ];
  const first = lab.startMiddleware(...flags);
  await first.untilLogged('waiting for controllers');
  const second = lab.startMiddleware(...flags, '--guard');
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.program.stderr.items.at(-1)).toContain('[HLC_CONTROL_BUSY]');
  await expect.poll(() => programsOf(lab.uri)).toEqual([first.program.pid]);
  first.signal('SIGTERM');
  await first.ended;
});

it('a run whose guard does not start does not begin', async () => {
  const lab = openTestLab();
  const preload = new URL('../../peers/guard-fails.mjs', import.meta.url).href;
  const run = new Middleware(lab.uri, ['--vehicle-ids=1', '--period-ms=50', '--guard'], {
    through: ['env', `NODE_OPTIONS=--import=${preload}`],
  });
  expect(await run.ended).toEqual({ code: 1, signal: null });
  expect(run.program.stderr.items.at(-1)).toContain('[HLC_GUARD]');
  expect(run.program.stderr.items.join('\n')).not.toContain('waiting for controllers');
});
