import { expect } from 'vitest';
import { FleetSession } from '../support/fleet-tap.js';
import { openTap } from '../support/open-tap.js';
import { openPage } from './chromium.js';
import { startObserver } from './observed-page.js';

const vehicles = 100;

/** An observer of 100 vehicles at 50 Hz with 100 controllers, and its page. */
export async function openLoadedPage() {
  const { tap, path } = await openTap();
  const session = new FleetSession(tap, vehicles, vehicles);
  const { program: observer, address } = await startObserver(path.replace('.tap', '.sock'));
  const opened = await openPage();
  const { page } = opened;
  await page.goto(address);
  await expect
    .poll(() => page.getByTestId('map').getAttribute('data-vehicles'), { timeout: 10_000 })
    .toBe(String(vehicles));
  return { tap, session, observer, ...opened };
}
