import type { Browser, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { VehicleStateCodec } from '../../src/messages/index.js';
import type { NodeEvent } from '../../src/node/observers/session-observer.js';
import { openTap } from '../support/open-tap.js';
import { skipWithout } from '../support/skip-without.js';
import { noBrowser, openPage } from './chromium.js';
import { startObserver } from './observed-page.js';

skipWithout(noBrowser);

/** Places of vehicles that stand, by their ids, m. */
const places = { 1: { x: 0, y: 0 }, 2: { x: 4, y: 0 }, 3: { x: NaN, y: NaN } };
/** Extent of the map around them with its margin, m. */
const extent = { x: 5, y: 3 };

/** The page of an observer of these vehicles. */
async function openMap(
  options: NonNullable<Parameters<Browser['newPage']>[0]> = {},
): Promise<Page> {
  const { tap, path } = await openTap();
  const timer = setInterval(() => {
    for (const [id, { x, y }] of Object.entries(places)) {
      const zero = VehicleStateCodec.zero();
      const state = { ...zero, vehicle_id: Number(id), pose: { x, y, yaw: 0 } };
      const bytes = VehicleStateCodec.encode({ ...state, battery_voltage: NaN });
      const realtimeNs = BigInt(Date.now()) * 1_000_000n;
      const event = { kind: 'vehicleState', receivedAtNs: realtimeNs, bytes } as NodeEvent;
      tap.handled(event, [], { monotonicNs: process.hrtime.bigint(), realtimeNs });
    }
  }, 50);
  onTestFinished(() => clearInterval(timer));
  const { address } = await startObserver(path.replace('.tap', '.sock'));
  const opened = await openPage();
  const page = await opened.page.context().browser()?.newPage(options);
  if (page === undefined) throw new TypeError('the page has no browser');
  await page.goto(address);
  await expect.poll(() => page.getByTestId('map').getAttribute('data-vehicles')).toBe('2');
  return page;
}

it('on a phone, a tap on a vehicle follows it, buttons follow the next one and show all; a vehicle without a place is not drawn', async () => {
  const page = await openMap({ hasTouch: true, viewport: { width: 390, height: 844 } });
  const map = page.getByTestId('map');
  const row = page.getByTestId('vehicle-3');
  await expect.poll(() => row.textContent()).toMatch(/^3, place unknown.*unknown/);

  const followed = () => page.getByTestId('followed').textContent();
  const { x = 0, y = 0, width = 0, height = 0 } = (await map.boundingBox()) ?? {};
  const scale = Math.min(width / extent.x, height / extent.y);
  await page.touchscreen.tap(x + width / 2 + 2 * scale, y + height / 2);
  await expect.poll(followed).toBe('following vehicle 2');
  await page.getByRole('button', { name: 'Show all' }).tap();
  await expect.poll(followed).toBe('');
  await page.getByRole('button', { name: 'Follow next vehicle' }).tap();
  await expect.poll(followed).toBe('following vehicle 1');
  // Vehicle 2 is to the right of the middle now; there is none at the left edge.
  await page.touchscreen.tap(x + 5, y + 5);
  expect(await followed()).toBe('following vehicle 1');
});

it('with a keyboard, each place of the map and each vehicle can be looked at', async () => {
  const page = await openMap();
  const map = page.getByTestId('map');
  const picture = () => page.evaluate<string>('document.querySelector("canvas").toDataURL()');
  const followed = () => page.getByTestId('followed').textContent();
  const focused = () => page.evaluate<string>('document.activeElement.dataset.testid ?? ""');
  for (let i = 0; i < 20 && (await focused()) !== 'map'; i++) await page.keyboard.press('Tab');
  expect(await focused()).toBe('map');
  const all = await picture();
  for (const [key, back] of [
    ['ArrowLeft', 'ArrowRight'],
    ['ArrowUp', 'ArrowDown'],
    ['+', '-'],
  ] as const) {
    await map.press(key);
    await expect.poll(picture).not.toBe(all);
    await map.press(back);
    await expect.poll(picture).toBe(all);
  }
  await map.press('f');
  await expect.poll(followed).toBe('following vehicle 1');
  await map.press('f');
  await expect.poll(followed).toBe('following vehicle 2');
  await map.press('0');
  await expect.poll(followed).toBe('');
  await expect.poll(picture).toBe(all);
});
