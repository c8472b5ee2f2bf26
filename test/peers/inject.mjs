// Preloaded into a program under test (node --import): SIGUSR2 makes its JavaScript thread fail as
// HLC_TEST_FAULT says:
//   exception   an exception that nothing catches
//   stall       the same, after it has blocked for HLC_TEST_STALL_MS
//   rejection   a promise that is rejected, and nothing handles it
//   codec       from then on every read of a floating-point number throws, as a codec's fault would
//   rules       from then on every look-up in a Map throws
//   end         once the program has heard SIGTERM, the next walk of a Map's values throws
//   exit        something ends the process, as a dependency may
//   display     from then on every write to the standard output throws

import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** @returns {never} */
function fail() {
  throw new Error(`injected fault: ${process.env.HLC_TEST_FAULT}`);
}

function failOnce() {
  const values = Object.getOwnPropertyDescriptor(Map.prototype, 'values') ?? {};
  Map.prototype.values = () => {
    Object.defineProperty(Map.prototype, 'values', values);
    return fail();
  };
}

/** @type {Record<string, () => void>} */
const faults = {
  exception: () => setImmediate(fail),
  stall: () => {
    const stallMs = Number(process.env.HLC_TEST_STALL_MS);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs);
    fail();
  },
  rejection: () => void Promise.resolve().then(fail),
  exit: () => setImmediate(() => process.exit(0)),
  codec: () => {
    DataView.prototype.getFloat64 = fail;
  },
  rules: () => {
    Map.prototype.get = fail;
  },
  end: () => void process.on('SIGTERM', failOnce),
  display: () => {
    process.stdout.write = fail;
  },
};

if (isMainThread) process.on('SIGUSR2', () => faults[process.env.HLC_TEST_FAULT ?? '']?.());
