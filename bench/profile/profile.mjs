import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../tools/paths.mjs';
import { run } from '../deployment.mjs';
import { describeMachine } from '../../tools/machine.mjs';
import { markdownTable } from '../../tools/markdown-table.mjs';
import { real, simulated } from '../rows/row.mjs';
import { measuredInterval } from '../measured-interval.mjs';
import { timesOf } from './attribute.mjs';
import { groups } from './groups.mjs';
import { splitThreads } from './threads.mjs';
import { delaysOf } from './wake-ups.mjs';

/** @import { Load } from '../load.mjs' */
/** @import { Recorded } from './probe.mjs' */

const loads = [
  {
    name: 'simulated time: 1 controller, 20 vehicles',
    load: simulated({ controllers: 1, processes: 1, vehicles: 20, periods: 26_000, skip: 6000 }),
  },
  {
    name: 'real time: 16 controllers, 20 vehicles at 50 Hz, 20 ms',
    load: real({
      controllers: 16,
      processes: 4,
      vehicles: 20,
      periodMs: 20,
      periods: 650,
      skip: 150,
    }),
  },
];

/**
 * Processor time of a period by parts of the product, and the wait of events for JavaScript.
 * @returns {Promise<number>} exit code
 */
export async function runProfile() {
  console.log(`machine: ${describeMachine('build/bench')}`);
  for (const { name, load } of loads) {
    console.error(`bench: ${name}`);
    console.log(`\n${name}\n\n${await profileOf(load)}`);
  }
  return 0;
}

/**
 * @param {Load} load
 * @returns {Promise<string>}
 */
async function profileOf(load) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hlc-bench-profile-'));
  try {
    const file = path.join(folder, 'recorded.json');
    const measurement = await run(load, 'product', {
      nodeFlags: [`--import=${path.join(root, 'bench/profile/probe.mjs')}`],
      // The files of their modules distinguish the parts.
      script: 'dist/cli/start.js',
      environment: { HLC_BENCH_PROFILE: file },
    });
    /** @type {unknown} */
    const recorded = JSON.parse(readFileSync(file, 'utf8'));
    const { profile, wakeUps } = /** @type {Recorded} */ (recorded);
    const { from, to, periods } = measuredInterval(measurement);
    const part = { fromNs: from.atNs, toNs: to.atNs };
    const times = timesOf(profile, part);
    const threads = splitThreads(from, to);
    const javascriptUs = groups.reduce((sum, group) => sum + (times.get(group) ?? 0), 0);
    const cpuUs = threads.javascript.cpuNs / 1000;
    const line = (/** @type {string} */ label, /** @type {number} */ us) => [
      label,
      (us / periods).toFixed(2),
      `${((100 * us) / cpuUs).toFixed(0)} %`,
    ];
    const inJavascript = groups.map((group) => line(group, times.get(group) ?? 0));
    const cells = [
      ...inJavascript,
      // Samples measure elapsed time, the kernel measures time on a core: see docs/guide/benchmark.md.
      line('outside JavaScript', Math.max(0, cpuUs - javascriptUs)),
      line('JavaScript thread, on a core', cpuUs),
      line('JavaScript thread, ready and without a core', threads.javascript.waitedNs / 1000),
      ...threads.others.map(({ name, cpuNs }) => line(name, cpuNs / 1000)),
    ];
    return [
      markdownTable(['part', 'µs per period', 'of the JavaScript thread'], cells, new Set([1, 2])),
      `wake-up, from an event in a thread of the add-on to JavaScript: ${delaysOf(wakeUps, part, periods)}`,
      `${measurement.startSignalsPerSecond.toFixed(0)} periods/s`,
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
