import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { RunSummary } from '../../src/node/index.js';
import { isolatedCycloneUri } from '../support/isolation.js';
import { loopbackUri } from '../support/loopback-uri.js';
import { cliProgram } from '../support/middleware.js';
import { ChildProgram } from '../support/child-program.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { noBrowser, openPage } from './chromium.js';

skipWithout(noBrowser);

const kib = 1024;
const mostScript = 100 * kib;
const firstMapMs = 1000;
const controlAddress = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/;

interface Play {
  readonly program: ChildProgram;
  readonly address: string;
  readonly summary: () => RunSummary;
}

/** `hlc-middleware play --page` with these flags, once it has printed the address. */
async function play(...flags: string[]): Promise<Play> {
  const folder = temporaryFolder();
  const summaryFile = path.join(folder, 'summary.json');
  const all = [
    ...['play', '--page', '--table=off', '--log-format=json', '--miss-policy=log'],
    ...[`--control-socket=${path.join(folder, 'a.sock')}`, `--summary=${summaryFile}`, ...flags],
  ];
  const program = new ChildProgram(
    'play',
    process.execPath,
    [cliProgram, ...all],
    loopbackUri(isolatedCycloneUri()),
  );
  const line = await program.stderr.until((text) => controlAddress.test(text));
  return {
    program,
    address: controlAddress.exec(line)?.[0] ?? '',
    summary: () => JSON.parse(readFileSync(summaryFile, 'utf8')) as RunSummary,
  };
}

const number = async (page: Page, selector: string): Promise<number> =>
  Number(await page.locator(selector).textContent());

async function vehiclesOnMap(page: Page): Promise<number> {
  return Number(await page.getByTestId('map').getAttribute('data-vehicles'));
}

describe('the page of a run in real time', () => {
  it('shows the map within a second, loads nothing from elsewhere, and has the counts of the summary', async () => {
    const { program, address, summary } = await play();
    const { page, foreign, faults } = await openPage();
    await page.goto(address);
    await expect.poll(() => vehiclesOnMap(page), { timeout: 20_000 }).toBe(3);
    const begun = performance.now();
    await page.goto(address, { waitUntil: 'commit' });
    await expect.poll(() => vehiclesOnMap(page), { interval: 20 }).toBe(3);
    expect(performance.now() - begun).toBeLessThan(firstMapMs);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const background = await page.evaluate<string>(
        'getComputedStyle(document.body).backgroundColor',
      );
      const [red = 0] = (background.match(/\d+/g) ?? []).map(Number);
      expect(red < 128).toBe(colorScheme === 'dark');
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await expect
      .poll(() => page.evaluate<number>('document.documentElement.scrollWidth'))
      .toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect
      .poll(() => page.getByTestId('connection').textContent(), { timeout: 20_000 })
      .toContain('no connection');
    expect((await program.ended).code).toBe(0);
    const counts = summary();
    expect(await number(page, '[data-testid=start-signals]')).toBe(counts.start_signals);
    const refused = Object.values(counts.commands_refused).reduce((a, b) => a + b, 0);
    expect(await number(page, '[data-testid=refused]')).toBe(refused);
    for (const [id, controller] of Object.entries(counts.controllers)) {
      const row = `[data-testid=controller-${id}]`;
      expect(await number(page, `${row} [data-testid=replies]`)).toBe(controller.replies);
      expect(await number(page, `${row} [data-testid=misses]`)).toBe(controller.misses);
      expect(await number(page, `${row} [data-testid=stops]`)).toBe(controller.safe_stops);
    }
    expect(foreign).toEqual([]);
    expect(faults.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  });
});

describe('the page of a run in simulated time', () => {
  it('has buttons that do what the commands do', async () => {
    const { program, address } = await play('--simulated-time');
    const { page } = await openPage();
    await page.goto(address);
    const signals = () => number(page, '[data-testid=start-signals]');
    const phase = () => page.getByTestId('phase').textContent();
    const answer = () => page.getByTestId('answer').textContent();
    await expect.poll(signals, { timeout: 20_000 }).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(phase, { timeout: 5000 }).toBe('paused');
    await expect.poll(answer).toBe('pause: done');
    const before = await settled(signals);
    await page.getByLabel('Number of steps').fill('3');
    await page.getByRole('button', { name: 'Step' }).click();
    await expect.poll(signals, { timeout: 5000 }).toBe(before + 3);
    await page.getByLabel('Simulated time in nanoseconds').fill('no time');
    await page.getByRole('button', { name: 'Run until' }).click();
    await expect.poll(answer).toContain('HLC_CONTROL_REQUEST');
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(signals, { timeout: 5000 }).toBeGreaterThan(before + 3);
    await page.getByRole('button', { name: 'Stop' }).click();
    expect((await program.ended).code).toBe(0);
  });

  it('has no buttons without the control token', async () => {
    const { program, address } = await play('--simulated-time');
    const { page } = await openPage();
    await page.goto(new URL('/', address).href);
    await expect.poll(() => vehiclesOnMap(page), { timeout: 20_000 }).toBe(3);
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    program.signal('SIGTERM');
    await program.ended;
  });
});

/** A count that is the same for more than the interval of the summary, which comes once per second. */
async function settled(count: () => Promise<number>): Promise<number> {
  let last = NaN;
  await expect
    .poll(
      async () => {
        const before = last;
        last = await count();
        return last === before;
      },
      { interval: 1500, timeout: 10_000 },
    )
    .toBe(true);
  return last;
}

describe('the files of the page', () => {
  it('have at most 100 kB of script', () => {
    const folder = fileURLToPath(new URL('../../dist/observe/page/assets', import.meta.url));
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const bytes = scripts.map((name) => gzipSync(readFileSync(path.join(folder, name))).length);
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(mostScript);
  });
});
