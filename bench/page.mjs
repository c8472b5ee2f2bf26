import path from 'node:path';
import process from 'node:process';
import { setTimeout as elapsed } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { describeMachine } from '../tools/machine.mjs';
import { markdownTable } from '../tools/markdown-table.mjs';
import { agesFor, chromiumFile, pageCosts } from '../tools/page-costs.mjs';
import { root } from '../tools/paths.mjs';
import { UsageError } from './command-line.mjs';
import { controlSocketIn, startDeployment, withPrograms } from './deployment.mjs';
import { real } from './rows/row.mjs';
import { quantile } from './statistics.mjs';

/** @import { Page } from 'playwright-core' */

const measuredS = 600;
/** Trails are full by then, and what runs often is compiled. */
const warmUpS = 15;
/** The middleware runs for longer than the page is measured. */
const startS = 60;
const periodMs = 50;
const vehicles = 100;

const mostScriptMs = 4;
const mostHeapGrowthMb = 5;
const mostAgeMs = 250;
const mostScrapeMs = 10;
const mostObserverMb = 150;

/**
 * The page of 100 vehicles at 50 Hz with 100 controllers, in a browser, over ten minutes.
 * @returns {Promise<number>} exit code
 * @throws {UsageError} without Chromium
 */
export async function runPage() {
  if (chromiumFile === undefined) {
    throw new UsageError('Chromium is not installed; run "apt-get install chromium" first.');
  }
  console.log(`machine: ${describeMachine('build/bench')}`);
  console.error(`bench: ${vehicles} vehicles and controllers, for ${measuredS} s`);
  // Its sandbox needs rights that containers lack; it loads only our own page.
  const browser = await chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox'] });
  try {
    const rows = await observed(await browser.newPage({ viewport: { width: 1280, height: 900 } }));
    const cells = rows.map(({ figure, unit, value, target }) => {
      const isMet = value < target;
      return [figure, value.toFixed(1), unit, `< ${target}`, isMet ? 'yes' : 'no'];
    });
    console.log(markdownTable(['figure', 'value', 'unit', 'target', 'met'], cells, new Set([1])));
    return rows.every(({ value, target }) => value < target) ? 0 : 1;
  } finally {
    await browser.close();
  }
}

/** @typedef {{ figure: string, unit: string, value: number, target: number }} Row */

/**
 * @param {Page} page
 * @returns {Promise<Row[]>}
 */
function observed(page) {
  const load = real({
    controllers: vehicles,
    processes: 4,
    vehicles,
    periodMs,
    periods: ((startS + warmUpS + measuredS) * 1000) / periodMs,
    skip: 0,
  });
  return withPrograms(
    async (start, folder) => {
      const summaryFile = path.join(folder, 'summary.json');
      await startDeployment(load, 'product', summaryFile, {}, start);
      const observer = start('the observer', [
        process.execPath,
        path.join(root, 'dist/cli/main.js'),
        'observe',
        '--port=0',
        `--control-socket=${controlSocketIn(folder)}`,
      ]);
      await observer.untilOutput('page to look at');
      const address = /page to look at\D*(http:\S+)/.exec(observer.output)?.[1] ?? '';
      await page.goto(address);
      await page.locator(`[data-testid=map][data-vehicles="${vehicles}"]`).waitFor();
      await page.waitForTimeout(warmUpS * 1000);
      const costs = await pageCosts(page);
      const before = await costs();
      const ages = await agesFor(page, measuredS * 1000);
      const after = await costs();
      const scrapesMs = await scrapes(new URL('/metrics', address));
      return [
        {
          figure: 'script per frame',
          unit: 'ms',
          value: (after.scriptMs - before.scriptMs) / ages.length,
          target: mostScriptMs,
        },
        {
          figure: 'time from one frame to the next',
          unit: 'ms',
          value: (measuredS * 1000) / ages.length,
          target: 100,
        },
        {
          figure: 'growth of the heap of the page',
          unit: 'MB',
          value: (after.heapBytes - before.heapBytes) / 1e6,
          target: mostHeapGrowthMb,
        },
        {
          figure: 'age of the data on the map, p99',
          unit: 'ms',
          value: ages.sort((a, b) => a - b)[Math.floor(ages.length * 0.99)] ?? NaN,
          target: mostAgeMs,
        },
        {
          figure: 'scrape of the metrics, p50',
          unit: 'ms',
          value: quantile(scrapesMs, 0.5),
          target: mostScrapeMs,
        },
        {
          figure: 'peak memory of the observer',
          unit: 'MB',
          value: observer.usage()?.peakResidentMb ?? NaN,
          target: mostObserverMb,
        },
      ];
    },
    (startS + warmUpS + measuredS) * 1000,
  );
}

/** @param {URL} address @returns how long each of some scrapes took, ms */
async function scrapes(address) {
  const times = [];
  for (let i = 0; i < 50; i++) {
    const begin = performance.now();
    await (await fetch(address)).text();
    times.push(performance.now() - begin);
    await elapsed(100);
  }
  return times;
}
