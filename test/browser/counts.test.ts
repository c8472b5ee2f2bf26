import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { History, MarkKind } from '../../src/observe/live/page-protocol.js';
import { directCommand } from '../support/commands.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTestLab } from '../support/test-lab.js';
import { noBrowser, openPage } from './chromium.js';
import { shownNumber, startObserver, statusOf } from './observed-page.js';

skipWithout(noBrowser);

/** Periods in which controller 4 says nothing. */
const silent = { from: 10, to: 20 };

describe('the page of controllers that miss, are refused and are stopped', () => {
  it('has the counts of the summary for each of them, and resumes a stopped one', async () => {
    const socket = path.join(temporaryFolder(), 'a.sock');
    const observer = await startObserver(socket);
    const { page } = await openPage();
    await page.goto(observer.controlAddress);
    const lab = openTestLab();
    const middleware = lab.startMiddleware(
      ...['--vehicle-ids=1,2,3,4', '--period-ms=100', '--miss-policy=stop', '--miss-limit=3'],
      ...['--resume=manual', '--grace-ms=0', `--control-socket=${socket}`],
    );
    await middleware.untilLogged('waiting for controllers');
    let period = 0;
    const controllers = lab.controller({
      ids: [1, 2, 3, 4],
      onStart: (list, self) => {
        period++;
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
    await controllers.startSignals.untilCount(silent.to + 5);
    expect(await statusOf(socket)).toMatch(/^controller 4: .*stopped until it is resumed/m);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => page.getByTestId('answer').textContent()).toBe('resume: done');
    expect(await statusOf(socket)).not.toContain('stopped');
    await controllers.startSignals.untilCount(period + 5);
    await page.getByRole('button', { name: 'Stop' }).click();
    expect((await middleware.ended).code).toBe(0);
    await expect
      .poll(() => page.getByTestId('notice').textContent())
      .toMatch(/^The middleware has ended\./);
    expect(await page.getByRole('button', { name: 'Resume' }).isDisabled()).toBe(true);

    const summary = middleware.summary();
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
