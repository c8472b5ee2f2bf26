// Preloaded into a program under test (node --import): SIGUSR2 blocks its JavaScript thread for a while,
// as a synchronous call would. The thread takes no processor: other tests run at the same time.
// HLC_TEST_STALL_MS says for how long, 200 ms where it is not set. With HLC_TEST_STALL_AGAIN it then
// handles what came meanwhile, and blocks again, for ever, as on a machine that is overloaded.

import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const stallMs = Number(process.env.HLC_TEST_STALL_MS ?? 200);

const again = process.env.HLC_TEST_STALL_AGAIN !== undefined;

function stall() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs);
  if (again) setImmediate(stall);
}

if (isMainThread) process.on('SIGUSR2', stall);
