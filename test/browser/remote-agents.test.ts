import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { RemoteAgentStatus } from '../../src/remote/index.js';
import { openTap, remoteAgent } from '../support/open-tap.js';
import { skipWithout } from '../support/skip-without.js';
import { noBrowser, openPage } from './chromium.js';
import { startObserver } from './observed-page.js';

skipWithout(noBrowser);

/** Pixels of the map in the colour of vehicles of other simulations. */
function remotePixels(page: Page): Promise<number> {
  return page.evaluate<number>(
    `(() => {
      const map = document.querySelector('[data-testid=map]');
      const style = getComputedStyle(document.documentElement);
      const colour = style.getPropertyValue('--remote').trim();
      const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
      const { data } = map.getContext('2d').getImageData(0, 0, map.width, map.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (wanted.every((value, channel) => data[i + channel] === value)) count++;
      }
      return count;
    })()`,
  );
}

/** The page of a tap with these vehicles of other simulations. */
async function openAgents(agents: () => readonly RemoteAgentStatus[]) {
  const { path, tap } = await openTap(undefined, undefined, agents);
  const { address } = await startObserver(path.replace('.tap', '.sock'));
  const { page, faults } = await openPage();
  await page.goto(address);
  const row = page.getByTestId('remote-agent-1.2');
  await expect
    .poll(() => row.textContent(), { timeout: 10_000 })
    .toBe('1.2wheeled10-2.006 wheelssedan.obj, rim.obj');
  await expect.poll(() => remotePixels(page)).toBeGreaterThan(20);
  return { page, faults, row, tap };
}

it('the page draws a vehicle of another simulation, and lists its parts and files, until it is gone', async () => {
  let agents = [remoteAgent];
  const { page, faults, row } = await openAgents(() => agents);
  agents = [];
  await expect.poll(() => row.count(), { timeout: 5000 }).toBe(0);
  await expect.poll(() => remotePixels(page)).toBe(0);
  expect(faults).toEqual([]);
});

it('the page shows a vehicle of another simulation as stale when the middleware is gone', async () => {
  const { page, row, tap } = await openAgents(() => [remoteAgent]);
  await tap.close();
  await expect.poll(() => row.textContent()).toBe('1.2wheeled10–6 wheelssedan.obj, rim.obj');
  await expect.poll(() => remotePixels(page)).toBe(0);
});
