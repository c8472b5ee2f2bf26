// Preloaded into a program under test (node --import): SIGUSR2 makes its JavaScript thread do nothing
// else for 200 ms, as a long garbage collection or a synchronous call would.

import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const stallMs = 200;

if (isMainThread) {
  process.on('SIGUSR2', () => {
    const end = performance.now() + stallMs;
    while (performance.now() < end);
  });
}
