// Preloaded into a program under test (node --import): SIGUSR2 makes it take memory until V8 has none
// left and aborts the process; --max-old-space-size limits how long that takes.

import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('SIGUSR2', () => {
    /** @type {string[][]} */
    const kept = [];
    for (;;) kept.push(Array.from({ length: 100_000 }, () => ''));
  });
}
