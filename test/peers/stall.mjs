// Preloaded into a program under test (node --import): SIGUSR2 makes its JavaScript thread do nothing
// else for a while, as a long garbage collection or a synchronous call would. HLC_TEST_STALL_MS says
// for how long, 200 ms where it is not set.

import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const stallMs = Number(process.env.HLC_TEST_STALL_MS ?? 200);

if (isMainThread) {
  process.on('SIGUSR2', () => {
    const end = performance.now() + stallMs;
    while (performance.now() < end);
  });
}
