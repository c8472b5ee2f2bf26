// What the page of the observer costs in a browser: for its test of two minutes and the bench of ten.

import { existsSync } from 'node:fs';

/** @import { CDPSession, Page } from 'playwright-core' */

/** Chromium of Debian or Ubuntu; undefined when it is not installed. */
export const chromiumFile = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

/**
 * What a page has used until now, after a collection.
 * @typedef {object} PageCosts
 * @property {number} scriptMs time of its scripts
 * @property {number} heapBytes with what its typed arrays have
 */

/**
 * @param {Page} page
 * @returns {Promise<() => Promise<PageCosts>>} what to call for its costs
 */
export async function pageCosts(page) {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  return () => costsNow(devTools);
}

/**
 * @param {CDPSession} devTools
 * @returns {Promise<PageCosts>}
 */
async function costsNow(devTools) {
  await devTools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devTools.send('Performance.getMetrics');
  const { usedSize, backingStorageSize } = await devTools.send('Runtime.getHeapUsage');
  const scriptS = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN;
  return { scriptMs: scriptS * 1000, heapBytes: usedSize + backingStorageSize };
}

/**
 * The age of the newest data on the map in each frame of this time, ms.
 * @param {Page} page
 * @param {number} ms
 * @returns {Promise<number[]>}
 */
export function agesFor(page, ms) {
  return page.evaluate(`new Promise((resolve) => {
    const map = document.querySelector('[data-testid=map]');
    const ages = [];
    const end = performance.now() + ${ms};
    const look = () => {
      ages.push(Date.now() - Number(map.dataset.t));
      if (performance.now() < end) requestAnimationFrame(look);
      else resolve(ages);
    };
    requestAnimationFrame(look);
  })`);
}
