import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { memoryPeak } from '../support/memory-peak.js';
import { skipWithout } from '../support/skip-without.js';
import { noBrowser } from './chromium.js';
import { openLoadedPage } from './loaded-page.js';
import { agesFor } from '../../tools/page-costs.mjs';

skipWithout(noBrowser);

/** The browser stands still for so long: more bytes than the kernel keeps for a connection. */
const stoppedMs = 60_000;

const mostAgeMs = 250;
const mostObserver = 150_000_000;

describe('the page of 100 vehicles at 50 Hz', () => {
  it(
    'is current again after its browser stood still, and the observer stays small',
    async () => {
      const { page, observer, signal, tap } = await openLoadedPage();
      signal('SIGSTOP');
      await wait(stoppedMs);
      expect(memoryPeak(observer.pid)).toBeLessThan(mostObserver);
      signal('SIGCONT');
      await expect.poll(async () => (await agesFor(page, 500)).at(-1)).toBeLessThan(mostAgeMs);
      observer.signal('SIGKILL');
      await expect
        .poll(() => page.getByTestId('connection').textContent())
        .toContain('no connection');
      await expect.poll(() => tap.wantsSamples).toBe(false);
    },
    stoppedMs + 60_000,
  );
});
