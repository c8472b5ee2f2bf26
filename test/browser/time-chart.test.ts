import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { PerformedEffect } from '../../src/node/observers/session-observer.js';
import { FleetSession } from '../support/fleet-tap.js';
import { openTap } from '../support/open-tap.js';
import { skipWithout } from '../support/skip-without.js';
import { noBrowser, openPage } from './chromium.js';
import { startObserver } from './observed-page.js';

skipWithout(noBrowser);

const controllers = 14;
const performed = { written: true, latenessNs: 0n };

it('the chart says which controllers have a line, keeps a zoom, and names the controllers of a mark', async () => {
  const { tap, path } = await openTap();
  new FleetSession(tap, 1, controllers);
  const { address } = await startObserver(path.replace('.tap', '.sock'));
  const { page, faults } = await openPage();
  await page.goto(address);
  const chart = page.getByTestId('chart');
  const legend = () => chart.locator('.u-legend').textContent();
  await expect
    .poll(() => page.getByTestId('lines').textContent())
    .toContain(`12 of ${controllers} controllers have a line`);
  expect(await legend()).not.toContain('controller 13');
  await page.getByLabel('Controllers with a line').selectOption({ index: 1 });
  await expect.poll(legend).toContain('controller 13');

  const markMs = Date.now();
  const at = {
    monotonicNs: process.hrtime.bigint(),
    realtimeNs: BigInt(markMs) * 1_000_000n,
  };
  const misses = [
    { id: 3, consecutive: 1 },
    { id: 9, consecutive: 1 },
  ];
  const effect = { kind: 'missed', tNowNs: at.realtimeNs, misses } as const;
  const missed = [{ effect, performed }] as readonly PerformedEffect[];
  tap.handled({ kind: 'wake', now: at }, missed, at);

  const span = async () => ({
    from: Number(await chart.getAttribute('data-from')),
    to: Number(await chart.getAttribute('data-to')),
  });
  await expect.poll(async () => (await span()).to).toBeGreaterThan(markMs + 1000);
  const over = (await chart.locator('.u-over').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const y = over.y + over.height / 2;
  await page.mouse.move(over.x + over.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(over.x + over.width - 2, y, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => page.getByRole('button', { name: 'Back to now' }).count()).toBe(1);
  await wait(300);
  const zoomed = await span();
  expect(zoomed.to - zoomed.from).toBeLessThan(40_000);
  await wait(1000);
  expect(await span()).toEqual(zoomed);

  const part = (markMs - zoomed.from) / (zoomed.to - zoomed.from);
  await page.mouse.move(over.x + part * over.width, y);
  await expect.poll(legend).toMatch(/▲ miss:?\s*controller 3, 9/);
  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect.poll(async () => (await span()).to).toBeGreaterThan(zoomed.to + 500);
  expect(faults).toEqual([]);
});
