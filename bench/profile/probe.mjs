// Loaded into our middleware by `npm run bench -- --profile`: notes when each batch of events reaches
// JavaScript, and when the oldest event in it came. Writes that to the file HLC_BENCH_WAKE_UPS at the end.

import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** @typedef {{ atNs: number, delayNs: number, event: 'sample' | 'tick' }} WakeUp */

/**
 * @param {string} module
 * @returns {Promise<unknown>}
 */
function product(module) {
  return import(new URL(`../../dist/${module}`, import.meta.url).href);
}

/** Stands between the add-on and the product; the two share the object that the add-on exports. */
async function watch() {
  const { EventBatch, EventKind } = /** @type {typeof import('../../src/dds/event-batch.js')} */ (
    await product('dds/event-batch.js')
  );
  const { loadNative } = /** @type {typeof import('../../src/dds/native.js')} */ (
    await product('dds/native.js')
  );
  const native = /** @type {{ -readonly [K in 'open']: ReturnType<typeof loadNative>[K] }} */ (
    loadNative()
  );
  /** @type {WakeUp[]} */
  const wakeUps = [];
  const open = native.open;
  native.open = (deliver, queueBytes) =>
    open((batch, byteLength) => {
      const atNs = Number(process.hrtime.bigint());
      const events = new EventBatch(batch, byteLength);
      if (events.next()) {
        const { kind } = events;
        const event =
          kind === EventKind.sample ? 'sample' : kind === EventKind.tick ? 'tick' : undefined;
        // `b` of both is the monotonic instant at which a thread of the add-on had it.
        if (event !== undefined) wakeUps.push({ atNs, delayNs: atNs - Number(events.b), event });
      }
      deliver(batch, byteLength);
    }, queueBytes);
  process.on('exit', () => {
    writeFileSync(process.env.HLC_BENCH_WAKE_UPS ?? '', JSON.stringify(wakeUps));
  });
}

if (isMainThread) await watch();
