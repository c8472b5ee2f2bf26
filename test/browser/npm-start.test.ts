import { constants } from 'node:os';
import { expect, it } from 'vitest';
import { ChildProgram } from '../support/child-program.js';
import { isolatedCycloneUri } from '../support/isolation.js';
import { loopbackUri } from '../support/loopback-uri.js';
import { programsOf } from '../support/programs-of.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { noBrowser, openPage } from './chromium.js';
import { shownNumber } from './observed-page.js';

skipWithout(noBrowser);

/** From the command to the picture, with a browser that is open. */
const mostStartMs = 20_000;
const mostEndMs = 10_000;
const vehicleIds = [1, 2, 3];
/** All vehicles drive at more than 0.1 m/s for so many periods of 50 ms: for more than 0.2 m. */
const leastSignals = 40;

it('npm start shows three vehicles that drive, and Ctrl-C ends all its programs', async () => {
  const { page, foreign, faults } = await openPage();
  const uri = isolatedCycloneUri();
  const variables = { XDG_RUNTIME_DIR: temporaryFolder() };
  const begun = performance.now();
  const program = new ChildProgram('npm start', 'npm', ['start'], loopbackUri(uri), {
    ...{ variables, group: true, patienceMs: mostStartMs },
  });
  const line = await program.stderr.until((text) => text.includes('page with controls'));
  await page.goto(/http:\S+/.exec(line)?.[0] ?? '');
  const map = page.getByTestId('map');
  const untilStart = { timeout: mostStartMs };
  await expect.poll(() => map.getAttribute('data-vehicles'), untilStart).toBe('3');
  const picture = () => page.evaluate<string>('document.querySelector("canvas").toDataURL()');
  const before = await picture();
  for (const id of vehicleIds) {
    const speed = `[data-testid=vehicle-${id}] td:nth-child(2)`;
    await expect.poll(() => shownNumber(page, speed), untilStart).toBeGreaterThan(0.1);
  }
  await expect.poll(picture, untilStart).not.toBe(before);
  expect(performance.now() - begun).toBeLessThan(mostStartMs);
  const signals = () => shownNumber(page, '[data-testid=start-signals]');
  const drivenSignals = (await signals()) + leastSignals;
  await expect.poll(signals, untilStart).toBeGreaterThan(drivenSignals);
  expect(foreign).toEqual([]);
  expect(faults).toEqual([]);

  // Itself, three controllers, vehicles, page and guard.
  expect(programsOf(uri).length).toBeGreaterThanOrEqual(7);
  const stopped = performance.now();
  program.signal('SIGINT');
  await expect.poll(() => program.gone, { timeout: mostEndMs }).toBe(true);
  const { code, signal } = await program.ended;
  // npm ends by the signal where its shell does: shells show both as 130.
  expect(code ?? 128 + constants.signals[signal ?? 'SIGKILL']).toBe(130);
  await expect.poll(() => programsOf(uri), { timeout: mostEndMs }).toEqual([]);
  expect(performance.now() - stopped).toBeLessThan(mostEndMs);
  // The page says so without an alarm, and shows nothing of before as if it were of now.
  await expect
    .poll(() => page.getByTestId('notice').textContent())
    .toMatch(/^The middleware has ended, and the observer has, too\./);
  expect(await page.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
  for (const id of vehicleIds) {
    const row = page.locator(`[data-testid=vehicle-${id}] td`);
    await expect.poll(() => row.nth(1).textContent()).toBe('–');
    expect(await row.nth(4).textContent()).toMatch(/^stale, /);
  }
  for (const id of vehicleIds) {
    const driven = new RegExp(`^vehicle ${id} +drove (\\S+) m`);
    const text = program.stdout.items.find((each) => driven.test(each)) ?? '';
    expect(Number(driven.exec(text)?.[1])).toBeGreaterThan(0.1);
  }
});
