import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChildProgram } from '../support/child-program.js';
import { favour } from '../support/favoured.js';
import { isolatedCycloneUri } from '../support/isolation.js';
import { loopbackUri } from '../support/loopback-uri.js';
import { cliProgram } from '../support/middleware.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { noBrowser, openPage } from './chromium.js';
import { startPage } from './observed-page.js';

skipWithout(noBrowser);

describe('the page of a recording', () => {
  it('stands still, jumps, and goes on with the wanted speed', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'run.mcap');
    const flags = ['--periods=80', `--record=${file}`, `--control-socket=${folder}/a.sock`];
    const args = [cliProgram, 'play', '--table=off', ...flags];
    const uri = loopbackUri(isolatedCycloneUri());
    const played = new ChildProgram('play', process.execPath, args, uri, { group: true });
    favour(played.pid, 'driving');
    const { code } = await played.ended;
    expect(code, played.stderr.items.join('\n')).toBe(0);

    const { controlAddress } = await startPage('replay', file, '--to=page');
    const { page, faults } = await openPage();
    await page.goto(controlAddress);
    const position = async () => {
      const [now = NaN, end = NaN] = ((await page.getByTestId('position').textContent()) ?? '')
        .split(' of ')
        .map(Number.parseFloat);
      return { now, end };
    };
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Play' }).count()).toBe(1);
    const last = Math.floor((await position()).end) - 1;
    await page.getByLabel('Time in the recording').fill(`${last}000`);
    await expect.poll(async () => (await position()).now).toBeCloseTo(last, 0);
    await expect.poll(() => page.getByTestId('map').getAttribute('data-vehicles')).toBe('3');
    // Nothing was recorded at its begin.
    await page.getByLabel('Time in the recording').fill('0');
    await expect.poll(async () => (await position()).now).toBe(0);
    await page.getByLabel('Time in the recording').fill('1000');
    await expect.poll(async () => (await position()).now).toBeCloseTo(1, 0);
    await page.getByLabel('Speed').selectOption('10');
    await page.getByRole('button', { name: 'Play' }).click();
    await expect
      .poll(async () => {
        const { now, end } = await position();
        return end - now;
      })
      .toBeLessThan(0.5);
    expect(faults).toEqual([]);
  });
});
