import { expect, it } from 'vitest';
import { openTap } from '../support/open-tap.js';
import { skipWithout } from '../support/skip-without.js';
import { noBrowser, openPage } from './chromium.js';
import { startObserver } from './observed-page.js';

skipWithout(noBrowser);

it('markup in a bookmark and in the log stays text', async () => {
  const { tap, path } = await openTap();
  const { address } = await startObserver(path.replace('.tap', '.sock'));
  const { page, faults } = await openPage();
  await page.goto(address);
  const msg = `<img src=x onerror="throw new Error('run')"><script>throw new Error('run')</script>`;
  const entry = { level: 50, time: '2026-01-01T00:00:00.000Z', msg, mark: msg };
  tap.logged(JSON.stringify({ ...entry, code: '"><b>HLC_X' }));
  const events = page.locator('.events');
  await expect.poll(() => events.textContent()).toContain(msg);
  expect(await events.locator('img, script, b, a').count()).toBe(0);
  expect(faults).toEqual([]);
});

it('the code of a refused command is a link to its entry in the page of errors', async () => {
  const { tap, path } = await openTap();
  const { address } = await startObserver(path.replace('.tap', '.sock'));
  const { page } = await openPage();
  await page.goto(address);
  const entry = { level: 40, time: '2026-01-01T00:00:00.000Z', msg: 'command refused' };
  tap.logged(JSON.stringify({ ...entry, code: 'HLC_COMMAND_TOO_OLD' }));
  const link = page.locator('.events a');
  await expect.poll(() => link.textContent()).toBe('HLC_COMMAND_TOO_OLD');
  await page.goto(new URL((await link.getAttribute('href')) ?? '', address).href);
  expect(await page.locator(':target').textContent()).toBe('HLC_COMMAND_TOO_OLD');
});

it('the events can be filtered by their text, their code and their severity', async () => {
  const { tap, path } = await openTap();
  const { address } = await startObserver(path.replace('.tap', '.sock'));
  const { page } = await openPage();
  await page.goto(address);
  const log = (level: number, msg: string, code?: string) =>
    tap.logged(JSON.stringify({ level, time: '2026-01-01T00:00:00.000Z', msg, code }));
  log(30, 'controller 1 is ready');
  log(40, 'controller 1 missed a period');
  log(40, 'command refused', 'HLC_COMMAND_TOO_OLD');
  log(50, 'the log cannot be written');
  const shown = () => page.locator('.events li').count();
  await expect.poll(shown).toBe(4);
  const text = page.getByLabel('Filter events');
  const severity = page.getByLabel('Least severity');
  await text.fill('Controller 1');
  await expect.poll(shown).toBe(2);
  await severity.selectOption('warnings and errors');
  await expect.poll(shown).toBe(1);
  expect(await page.locator('.events li').textContent()).toContain('missed a period');
  await text.fill('too_old');
  await expect.poll(shown).toBe(1);
  expect(await page.locator('.events li').textContent()).toContain('command refused');
  await text.fill('');
  await expect.poll(shown).toBe(3);
  await severity.selectOption('errors');
  await expect.poll(shown).toBe(1);
  expect(await page.locator('.events li').textContent()).toContain('cannot be written');
});

it('the link of an event keeps the focus of the keyboard while events come', async () => {
  const { tap, path } = await openTap();
  const { address } = await startObserver(path.replace('.tap', '.sock'));
  const { page } = await openPage();
  await page.goto(address);
  const log = (code: string) =>
    tap.logged(JSON.stringify({ level: 40, time: '2026-01-01T00:00:00.000Z', msg: 'no', code }));
  log('HLC_COMMAND_TOO_OLD');
  await page.getByText('HLC_COMMAND_TOO_OLD').focus();
  for (let count = 2; count < 5; count++) {
    log('HLC_COMMAND_NOT_NEWER');
    await expect.poll(() => page.locator('.events li').count()).toBe(count);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('HLC_COMMAND_TOO_OLD');
  }
});
