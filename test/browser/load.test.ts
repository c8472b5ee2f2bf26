import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { agesFor, pageCosts } from '../../tools/page-costs.mjs';
import { skipWithout } from '../support/skip-without.js';
import { noBrowser } from './chromium.js';
import { openLoadedPage } from './loaded-page.js';

skipWithout(noBrowser);

/** So long the page is measured. */
const measuredMs = Number(process.env.HLC_BROWSER_LOAD_S ?? 120) * 1000;

/** Trails are full, and what runs often is compiled. */
const warmUpMs = 8000;

const firstMapMs = 1000;
const mostScriptMs = 4;
const mostHeapGrowth = 5_000_000;
const mostAgeMs = 250;

describe('the page of 100 vehicles at 50 Hz', () => {
  it('shows the map within a second', async () => {
    const { page } = await openLoadedPage();
    const vehicles = () => page.getByTestId('map').getAttribute('data-vehicles');
    const shown = await vehicles();
    const begun = performance.now();
    await page.goto(page.url(), { waitUntil: 'commit' });
    await expect.poll(vehicles, { interval: 20 }).toBe(shown);
    expect(performance.now() - begun).toBeLessThan(firstMapMs);
  });

  it(
    'takes little time and memory, and is current',
    async () => {
      const { page } = await openLoadedPage();
      const costs = await pageCosts(page);
      await wait(warmUpMs);
      const before = await costs();
      const ages = await agesFor(page, measuredMs);
      const after = await costs();
      const sorted = ages.toSorted((a, b) => a - b);
      const figures = {
        frames: ages.length,
        scriptMs: (after.scriptMs - before.scriptMs) / ages.length,
        heapGrowth: after.heapBytes - before.heapBytes,
        ageP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
      };
      console.log(`100 vehicles at 50 Hz: ${JSON.stringify(figures)}`);
      expect(figures.frames).toBeGreaterThan(measuredMs / 100);
      expect(figures.scriptMs).toBeLessThanOrEqual(mostScriptMs);
      expect(figures.heapGrowth).toBeLessThan(mostHeapGrowth);
      expect(figures.ageP99Ms).toBeLessThan(mostAgeMs);
    },
    measuredMs + 60_000,
  );
});
