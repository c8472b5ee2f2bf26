// Preloaded into a program under test (node --import): SIGUSR2 makes its JavaScript thread do nothing
// else for a while, as a long garbage collection or a synchronous call would. HLC_TEST_STALL_MS says
// for how long, 200 ms where it is not set. With HLC_TEST_STALL_AGAIN it then handles what came
// meanwhile, and does nothing else again, for ever, as on a machine that is overloaded.

import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const stallMs = Number(process.env.HLC_TEST_STALL_MS ?? 200);

const again = process.env.HLC_TEST_STALL_AGAIN !== undefined;

function stall() {
  const end = performance.now() + stallMs;
  while (performance.now() < end);
  if (again) setImmediate(stall);
}

if (isMainThread) process.on('SIGUSR2', stall);
