import path from 'node:path';
import { expect, it } from 'vitest';
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
