// `npm run bench -- --profile` loads this module into the product. It samples what the JavaScript thread
// does, and records when each batch of events arrives there and when its oldest event was received. At
// exit it writes both, as a `Recorded`, to the file HLC_BENCH_PROFILE.

import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** @typedef {{ atNs: number, delayNs: number, event: 'sample' | 'tick' }} WakeUp */
/** @import { CpuProfile } from './attribute.mjs' */
/** @typedef {{ profile: CpuProfile, wakeUps: WakeUp[] }} Recorded */

/** Gives hundreds of samples in each row and leaves the rates unchanged. */
const samplingUs = 500;

/**
 * @param {string} module
 * @returns {Promise<unknown>}
 */
function product(module) {
  return import(new URL(`../../dist/${module}`, import.meta.url).href);
}

/** Wraps `open` and `exitNow` of the object that the add-on exports and the product uses. */
async function watch() {
  const { EventBatch, EventKind } = /** @type {typeof import('../../src/dds/event-batch.js')} */ (
    await product('dds/event-batch.js')
  );
  const { loadNative } = /** @type {typeof import('../../src/dds/native.js')} */ (
    await product('dds/native.js')
  );
  const native =
    /** @type {{ -readonly [K in 'open' | 'exitNow']: ReturnType<typeof loadNative>[K] }} */ (
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
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: samplingUs });
  session.post('Profiler.start');
  const { exitNow } = native;
  native.exitNow = (code) => {
    session.post('Profiler.stop', (error, { profile }) => {
      if (error !== null) throw error;
      writeFileSync(process.env.HLC_BENCH_PROFILE ?? '', JSON.stringify({ profile, wakeUps }));
    });
    return exitNow(code);
  };
}

if (isMainThread) await watch();
