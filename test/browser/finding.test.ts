import { describe, expect, it } from 'vitest';
import { readFinding, writeFinding } from '../../src/observe/index.js';
import { certifyDefect, rulesWith } from '../support/certified-controller.js';
import { openTap } from '../support/open-tap.js';
import { oneFinding } from '../support/one-finding.js';
import { skipWithout } from '../support/skip-without.js';
import { noBrowser, openPage } from './chromium.js';
import { startObserver } from './observed-page.js';

skipWithout(noBrowser);

describe('the page of a controller', () => {
  it('has the finding of its last certification, whose text stays text', async () => {
    // With controller 1.
    const { path } = await openTap();
    const socket = path.replace('.tap', '.sock');
    const { address } = await startObserver(socket);
    const { page, faults } = await openPage();
    await page.goto(address);
    await page.getByRole('button', { name: '1', exact: true }).click();
    await expect.poll(() => page.getByTestId('commands').count()).toBe(1);
    expect(await page.getByTestId('finding').count()).toBe(0);

    const { report } = await certifyDefect('steers-too-far', { controlSocket: socket });
    expect(rulesWith(report, 'fail')).toEqual(['content']);
    const shown = () => page.getByTestId('finding').textContent();
    const { passed, failed, not_tested } = report;
    await expect
      .poll(shown)
      .toContain(`${passed} passed, ${failed} failed, ${not_tested} not tested`);
    const broken = report.rules.find(({ id }) => id === 'content');
    for (const text of ['It does not keep all rules', broken?.evidence, broken?.change]) {
      expect(await shown()).toContain(text);
    }
    expect((await readFinding(socket, 1))?.rules.map(({ id }) => id)).toContain('content');

    const hostile = `<img src=x onerror="throw new Error('run')">`;
    const [rule] = oneFinding([1]).rules;
    if (rule === undefined) throw new TypeError('the finding has no rule');
    await writeFinding(socket, { ...oneFinding([1]), rules: [{ ...rule, evidence: hostile }] });
    await expect.poll(shown).toContain(hostile);
    expect(await page.locator('[data-testid=finding] img').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
