// `npm run bench -- --profile` loads this module into the product. It records when each batch of events
// arrives in JavaScript and when its oldest event was received, and writes both to the file
// HLC_BENCH_WAKE_UPS at exit.

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

/** Wraps `open` of the object that the add-on exports and the product uses. */
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
        // `b` of both kinds is the monotonic time at which a thread of the add-on received the event.
        if (event !== undefined) wakeUps.push({ atNs, delayNs: atNs - Number(events.b), event });
      }
      deliver(batch, byteLength);
    }, queueBytes);
  process.on('exit', () => {
    writeFileSync(process.env.HLC_BENCH_WAKE_UPS ?? '', JSON.stringify(wakeUps));
  });
}

if (isMainThread) await watch();
