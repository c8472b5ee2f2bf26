import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/errors/index.js';
import { topics } from '../../src/messages/index.js';
import type { History, MarkKind } from '../../src/observe/live/page-protocol.js';
import { directCommand } from '../support/commands.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTestLab } from '../support/test-lab.js';
import { noBrowser, openPage } from './chromium.js';
import { shownNumber, startObserver, statusOf } from './observed-page.js';
import { noPromtool, promtool } from './promtool.js';

skipWithout(noBrowser);
skipWithout(noPromtool);

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of each metric, as a scrape has them. */
async function scrape(address: string): Promise<Record<string, Sample[]>> {
  const text = await (await fetch(new URL('/metrics', address))).text();
  expect(promtool(['check', 'metrics'], text)).toEqual({ code: 0, text: '' });
  const samples: Record<string, Sample[]> = {};
  for (const line of text.split('\n').filter((each) => each.startsWith('hlc_'))) {
    const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]);
    const named = Object.fromEntries(pairs) as Sample['labels'];
    (samples[name] ??= []).push({ labels: named, value: Number(value) });
  }
  return samples;
}

/** Moves the focus by the keyboard to the button of this name. */
async function tabTo(page: Page, key: 'Tab' | 'Shift+Tab', name: string): Promise<void> {
  const label = `document.activeElement.ariaLabel ?? document.activeElement.textContent`;
  for (let i = 0; i < mostTabs; i++) {
    await page.keyboard.press(key);
    if ((await page.evaluate<string>(label)) === name) return;
  }
  throw new Error(`no ${key} leads to ${name}`);
}

/** What the page of a controller says of its last commands. */
async function lastCommands(page: Page, id: number): Promise<string> {
  await page.getByRole('button', { name: String(id), exact: true }).click();
  const commands = page.getByTestId('commands');
  await expect
    .poll(() => commands.textContent())
    .toMatch(new RegExp(`^Last commands for vehicle ${id}.`));
  return (await commands.textContent()) ?? '';
}

/** More than there are things to focus on above the events, each of which may have a link. */
const mostTabs = 20;

/** Replies late by fewer periods do not stop a controller: the browser may hold the processor. */
const missLimit = 8;

/** Periods in which controller 4 says nothing. */
const silent = { from: 10, to: 10 + missLimit + 6 };

describe('the page of controllers that miss, are refused and are stopped', () => {
  it('has the counts of the summary for each of them, and resumes a stopped one', async () => {
    const socket = path.join(temporaryFolder(), 'a.sock');
    const observer = await startObserver(socket);
    const { page } = await openPage();
    await page.goto(observer.controlAddress);
    const lab = openTestLab();
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1,2,3,4', '--period-ms=100', '--grace-ms=0', '--resume=manual'],
      ...['--miss-policy=stop', `--miss-limit=${missLimit}`, `--control-socket=${socket}`],
    );
    await middleware.untilLogged('waiting for controllers');
    const vehicles = lab.vehicles();
    await vehicles.untilRead();
    let period = 0;
    const controllers = lab.controller({
      ids: [1, 2, 3, 4],
      onStart: (list, self) => {
        period++;
        for (const vehicle_id of [1, 77]) vehicles.sendState({ vehicle_id });
        const ids = [1, 3];
        if (period % 4 !== 0) ids.push(2);
        if (period < silent.from || period > silent.to) ids.push(4);
        self.answer(list, ids);
        if (period % 2 === 0) {
          const wrong = { motor_throttle: Number.NaN };
          self.send(directCommand(3, list.t_now + 1n, wrong));
          // A vehicle of no controller: it is in the counts of all, and of none.
          self.send(directCommand(9, list.t_now));
        }
      },
    });
    controllers.signIn();
    // Names that peers choose are no labels.
    controllers.signIn('hlc_99', 'hlc_1"} 1\n');
    await controllers.startSignals.untilCount(silent.to + 5);
    expect(await statusOf(socket)).toMatch(/^controller 4: .*stopped until it is resumed/m);
    // With a keyboard, and this one alone.
    await tabTo(page, 'Tab', 'Resume controller 4');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByTestId('answer').textContent()).toBe('resume 4: done');
    expect(await statusOf(socket)).not.toContain('stopped');
    await controllers.startSignals.untilCount(period + 5);
    expect(await lastCommands(page, 1)).toMatch(/direct.*forwarded.*motor_throttle 0\.25/);
    expect(await lastCommands(page, 3)).toMatch(/refused.*motor_throttle not a finite number/);
    // Backwards: the list of events, which follows, grows with the time that the run takes.
    await tabTo(page, 'Shift+Tab', 'Stop');
    await page.keyboard.press('Enter');
    expect((await middleware.ended).code).toBe(0);
    await expect
      .poll(() => page.getByTestId('notice').textContent())
      .toMatch(/^The middleware has ended\./);
    expect(await page.getByRole('button', { name: 'Resume' }).isDisabled()).toBe(true);

    const summary = middleware.summary();
    const metrics = await scrape(observer.address);
    const labels = Object.values(metrics).flatMap((all) => all.map((each) => each.labels));
    const valuesOf = (label: string) => new Set(labels.flatMap((all) => all[label] ?? []));
    const ids = new Set(Object.keys(summary.controllers));
    expect(valuesOf('controller')).toEqual(ids);
    expect(valuesOf('vehicle')).toEqual(new Set(Object.keys(summary.vehicles)));
    expect(valuesOf('vehicle')).toContain('1');
    expect([...valuesOf('code')].filter((code) => !(code in catalogue))).toEqual([]);
    expect([...valuesOf('topic')].filter((topic) => !(topic in topics))).toEqual([]);
    const history = await page.evaluate<History>(`fetch('/history').then((all) => all.json())`);
    for (const [id, counts] of Object.entries(summary.controllers)) {
      const { replies, misses, late_replies, commands_refused, safe_stops } = counts;
      const shown = (name: string) =>
        shownNumber(page, `[data-testid=controller-${id}] [data-testid=${name}]`);
      expect({
        id,
        replies: await shown('replies'),
        misses: await shown('misses'),
        late_replies: await shown('late'),
        commands_refused: await shown('refusals'),
        safe_stops: await shown('stops'),
      }).toEqual({ id, replies, misses, late_replies, commands_refused, safe_stops });
      const scraped = (name: string) =>
        metrics[`hlc_${name}_total`]?.find(({ labels }) => labels.controller === id)?.value;
      expect({
        id,
        replies: scraped('replies'),
        misses: scraped('misses'),
        late_replies: scraped('late_replies'),
        commands_refused: scraped('controller_commands_refused'),
        safe_stops: scraped('safe_stops'),
      }).toEqual({ id, replies, misses, late_replies, commands_refused, safe_stops });
      // The marks of the chart come from the effects, one by one.
      const line = history.controllers.find((each) => each.id === Number(id));
      const marks = (kind: MarkKind) =>
        (line?.marks[kind] ?? []).reduce((sum, count, i) => (i % 2 === 0 ? sum : sum + count), 0);
      expect([id, marks('miss'), marks('refusal'), marks('stop')]).toEqual([
        ...[id, misses, commands_refused, safe_stops],
      ]);
    }
    const { 2: second, 3: third, 4: fourth } = summary.controllers;
    expect(second?.misses).toBeGreaterThanOrEqual(6);
    expect(third?.commands_refused).toBeGreaterThanOrEqual(12);
    expect(fourth).toMatchObject({ safe_stops: 1, latched: false });
    const all = Object.values(summary.commands_refused).reduce((a, b) => a + b, 0);
    expect(all).toBeGreaterThan(third?.commands_refused ?? all);
    expect(await shownNumber(page, '[data-testid=refused]')).toBe(all);
  });
});
