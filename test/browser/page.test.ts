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
import { favour } from '../support/favoured.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { noBrowser, openPage } from './chromium.js';
import { shownNumber, statusOf } from './observed-page.js';

skipWithout(noBrowser);

const kib = 1024;
const mostScript = 100 * kib;
const controlAddress = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/;

interface Play {
  readonly program: ChildProgram;
  readonly address: string;
  /** What `hlc-middleware status` prints. */
  readonly status: () => Promise<string>;
  readonly summary: () => RunSummary;
}

/** `hlc-middleware play --page` with these flags, once it has printed the address. */
async function play(...flags: string[]): Promise<Play> {
  const folder = temporaryFolder();
  const summaryFile = path.join(folder, 'summary.json');
  const socket = path.join(folder, 'a.sock');
  const all = [
    ...['play', '--page', '--table=off', '--log-format=json', '--miss-policy=log'],
    ...[`--control-socket=${socket}`, `--summary=${summaryFile}`, ...flags],
  ];
  const program = new ChildProgram(
    'play',
    process.execPath,
    [cliProgram, ...all],
    loopbackUri(isolatedCycloneUri()),
    { group: true },
  );
  // A middleware without a processor for a second ends the run.
  favour(program.pid, 'driving');
  const line = await program.stderr.until((text) => controlAddress.test(text));
  return {
    program,
    address: controlAddress.exec(line)?.[0] ?? '',
    status: () => statusOf(socket),
    summary: () => JSON.parse(readFileSync(summaryFile, 'utf8')) as RunSummary,
  };
}

async function vehiclesOnMap(page: Page): Promise<number> {
  return Number(await page.getByTestId('map').getAttribute('data-vehicles'));
}

/** Plans that vehicles follow now: of `play` all but one, whose commands have no points. */
async function plansOnMap(page: Page): Promise<number> {
  return Number(await page.getByTestId('map').getAttribute('data-plans'));
}

describe('the page of a run in real time', () => {
  it('shows the map, loads nothing from elsewhere, and has the counts of the summary', async () => {
    const { program, address, summary } = await play();
    const { page, foreign, faults } = await openPage();
    await page.goto(address);
    await expect.poll(() => vehiclesOnMap(page), { timeout: 20_000 }).toBe(3);
    await expect.poll(() => plansOnMap(page)).toBeGreaterThan(1);
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
      .toContain('have ended');
    expect((await program.ended).code).toBe(0);
    const counts = summary();
    expect(await shownNumber(page, '[data-testid=start-signals]')).toBe(counts.start_signals);
    const refused = Object.values(counts.commands_refused).reduce((a, b) => a + b, 0);
    expect(await shownNumber(page, '[data-testid=refused]')).toBe(refused);
    for (const [id, controller] of Object.entries(counts.controllers)) {
      const row = `[data-testid=controller-${id}]`;
      expect(await shownNumber(page, `${row} [data-testid=replies]`)).toBe(controller.replies);
      expect(await shownNumber(page, `${row} [data-testid=misses]`)).toBe(controller.misses);
      expect(await shownNumber(page, `${row} [data-testid=stops]`)).toBe(controller.safe_stops);
    }
    expect(foreign).toEqual([]);
    expect(faults.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  });
});

describe('the page of a run in simulated time', () => {
  it('has buttons with the effects of the commands', async () => {
    const { program, address, status } = await play('--simulated-time');
    const { page } = await openPage();
    await page.goto(address);
    const press = (name: string) => page.getByRole('button', { name }).click();
    const answer = () => page.getByTestId('answer').textContent();
    const shownSignals = () => shownNumber(page, '[data-testid=start-signals]');
    await expect.poll(shownSignals, { timeout: 20_000 }).toBeGreaterThan(0);
    await expect.poll(() => plansOnMap(page)).toBeGreaterThan(1);
    expect(stepsOf(await status()).phase).not.toBe('paused');
    await press('Pause');
    await expect.poll(async () => stepsOf(await status()).phase).toBe('paused');
    await expect.poll(answer).toBe('pause: done');
    const before = stepsOf(await status());
    await page.getByLabel('Number of steps').fill('3');
    await press('Step');
    const afterSteps = before.startSignals + 3;
    await expect
      .poll(async () => stepsOf(await status()))
      .toMatchObject({ phase: 'paused', startSignals: afterSteps });
    await expect.poll(shownSignals, { timeout: 5000 }).toBe(afterSteps);
    await page.getByLabel('Simulated time in nanoseconds').fill('no time');
    await press('Run until');
    await expect.poll(answer).toContain('HLC_CONTROL_REQUEST');
    const untilNs = before.timeNs + 13n * simulatedPeriodNs;
    await page.getByLabel('Simulated time in nanoseconds').fill(String(untilNs));
    await press('Run until');
    await expect
      .poll(async () => stepsOf(await status()))
      .toEqual({ phase: 'paused', startSignals: before.startSignals + 13, timeNs: untilNs });
    await press('Resume');
    await expect
      .poll(async () => stepsOf(await status()).startSignals)
      .toBeGreaterThan(before.startSignals + 13);
    await press('Stop');
    expect((await program.ended).code).toBe(0);
  });

  it('has no buttons without the control token, and no request of such a page has an effect', async () => {
    const { program, address, status } = await play('--simulated-time');
    const { page } = await openPage();
    await page.goto(new URL('/', address).href);
    await expect.poll(() => vehiclesOnMap(page), { timeout: 20_000 }).toBe(3);
    await expect.poll(() => page.getByText('open the control address').count()).toBe(1);
    const events = page.locator('.events');
    await expect.poll(() => events.textContent()).toContain('page to look at');
    expect(await events.textContent()).not.toContain('token');
    for (const name of ['Pause', 'Step', 'Resume', 'Run until', 'Stop']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    for (const command of ['pause', 'resume', 'stop']) {
      const code = await page.evaluate<number>(
        `fetch('/control', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"command":"${command}"}',
        }).then(({ status }) => status)`,
      );
      expect(code).toBe(403);
    }
    const { phase, startSignals } = stepsOf(await status());
    expect(phase).not.toBe('paused');
    await expect
      .poll(async () => stepsOf(await status()).startSignals)
      .toBeGreaterThan(startSignals);
    program.signal('SIGTERM');
    await program.ended;
  });
});

/** Of `play`. */
const simulatedPeriodNs = 50_000_000n;

interface Steps {
  readonly phase: string;
  readonly startSignals: number;
  /** Simulated time of the last start signal, ns. */
  readonly timeNs: bigint;
}

/** @param status as `hlc-middleware status` prints it. */
function stepsOf(status: string): Steps {
  const pattern = /simulated time, (.+)\nstart signals: (\d+), the last one for (\d+) ns/;
  const [, phase = '', startSignals, timeNs = '-1'] = pattern.exec(status) ?? [];
  return { phase, startSignals: Number(startSignals), timeNs: BigInt(timeNs) };
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
