import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { memoryPeak } from '../support/memory-peak.js';
import { skipWithout } from '../support/skip-without.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTestLab } from '../support/test-lab.js';
import { noBrowser, openPage } from './chromium.js';
import { agesFor } from '../../tools/page-costs.mjs';
import { startObserver } from './observed-page.js';

skipWithout(noBrowser);

/** The browser stands still for so long. */
const stoppedMs = 60_000;

/** Data on a page that is current is at most so old. */
const mostAgeMs = 1000;
const mostObserver = 150_000_000;

/** A page of a middleware with a controller, in real time; the middleware can be started again. */
async function openObservedRun() {
  const socket = path.join(temporaryFolder(), 'a.sock');
  const observer = await startObserver(socket);
  const opened = await openPage();
  const { page } = opened;
  await page.goto(observer.controlAddress);
  const lab = openTestLab();
  const controller = lab.controller({ ids: [1] });
  controller.signIn();
  const startMiddleware = () =>
    lab.startMiddleware('--vehicle-ids=1', '--period-ms=100', `--control-socket=${socket}`);
  const untilCurrent = async () => {
    // A middleware starts in a second, and a browser in two.
    await expect.poll(() => page.getByTestId('notice').count(), { timeout: 10_000 }).toBe(0);
    await expect.poll(() => page.getByTestId('phase').textContent()).toBe('running');
    await expect.poll(async () => (await agesFor(page, 100)).at(-1)).toBeLessThan(mostAgeMs);
  };
  const notice = () => page.getByTestId('notice').textContent();
  const up = async () => {
    const metrics = await fetch(new URL('/metrics', observer.address));
    return /^hlc_up \d$/m.exec(await metrics.text())?.[0];
  };
  return {
    ...opened,
    observer: observer.program,
    controller,
    startMiddleware,
    untilCurrent,
    notice,
    up,
  };
}

describe('a page that stands still', () => {
  it(
    'holds up no period of the run, and is current within a second afterwards',
    async () => {
      const run = await openObservedRun();
      const middleware = run.startMiddleware();
      await run.controller.startSignals.untilCount(10);
      run.signal('SIGSTOP');
      await wait(stoppedMs);
      expect(memoryPeak(run.observer.pid)).toBeLessThan(mostObserver);
      run.signal('SIGCONT');
      expect((await agesFor(run.page, 1000)).at(-1)).toBeLessThan(mostAgeMs);
      await run.untilCurrent();
      run.observer.signal('SIGKILL');
      await expect.poll(run.notice).toMatch(/^The observer does not respond\./);
      await run.controller.startSignals.untilCount(run.controller.startSignals.items.length + 10);
      middleware.signal('SIGINT');
      expect((await middleware.ended).code).toBe(130);
      const summary = middleware.summary();
      expect(summary).toMatchObject({ observers_removed: 0 });
      // A busy machine takes some periods; a middleware that the page holds up loses nine of ten.
      expect(summary.skipped_periods).toBeLessThan(0.3 * summary.periods);
    },
    stoppedMs + 60_000,
  );
});

describe('the page of an observer that ends', () => {
  it('does not say that the middleware has ended, and leaves the controls on', async () => {
    const run = await openObservedRun();
    run.startMiddleware();
    await run.untilCurrent();
    run.observer.signal('SIGTERM');
    expect((await run.observer.ended).code).toBe(143);
    await expect.poll(run.notice).toMatch(/^The observer does not respond\./);
    expect(await run.page.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(false);
  });
});

describe('the page of an observer that stands still', () => {
  it('lets no vehicle move by a request that waited, and leaves Stop on', async () => {
    const run = await openObservedRun();
    run.startMiddleware();
    await run.untilCurrent();
    const resume = run.page.getByRole('button', { name: 'Resume', exact: true });
    const answer = () => run.page.getByTestId('answer').textContent();
    await resume.click();
    await expect.poll(answer).toBe('resume: done');
    run.observer.signal('SIGSTOP');
    await resume.click();
    await expect.poll(run.notice, { timeout: 10_000 }).toMatch(/^The observer does not respond\./);
    await expect.poll(() => resume.isDisabled()).toBe(true);
    expect(await run.page.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(false);
    run.observer.signal('SIGCONT');
    await expect.poll(answer).toContain('[HLC_CONTROL_LATE]');
    await expect.poll(() => resume.isDisabled()).toBe(false);
  });
});

describe('the page of a middleware that fails', () => {
  it('says who is silent and how old its data is, that the middleware is gone, and is current after a restart', async () => {
    const run = await openObservedRun();
    const first = run.startMiddleware();
    await run.untilCurrent();
    first.signal('SIGSTOP');
    await expect
      .poll(run.notice, { timeout: 10_000 })
      .toMatch(/^The middleware does not respond: .* The data is [3-9] s old\.$/);
    await expect.poll(run.up).toBe('hlc_up 0');
    first.signal('SIGCONT');
    await run.untilCurrent();
    expect(await run.up()).toBe('hlc_up 1');
    run.observer.signal('SIGSTOP');
    await expect
      .poll(run.notice, { timeout: 10_000 })
      .toMatch(/^The observer does not respond\. The data is [4-9] s old\.$/);
    run.observer.signal('SIGCONT');
    await run.untilCurrent();
    first.signal('SIGKILL');
    await expect.poll(run.notice).toMatch(/^The middleware is gone: .*\. Check that all vehicles/);
    run.startMiddleware();
    await run.untilCurrent();
  });
});
