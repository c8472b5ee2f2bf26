import { expect, it } from 'vitest';
import { nextPauseMs } from '../../../src/observe/tap/tap-bytes.js';

/** Of a Unix socket in Linux, bytes. */
const socketBytes = 208 * 1024;

it.each([0.01, 1, 10, 50])(
  'A reader of %d MB/s pauses so long that the socket does not overflow',
  (rateMBps) => {
    const sinceMs = 60;
    const size = rateMBps * 1000 * sinceMs;
    const pauseMs = nextPauseMs(60, size, sinceMs);
    expect(pauseMs).toBeLessThanOrEqual(60);
    expect(pauseMs * rateMBps * 1000).toBeLessThan(socketBytes / 2);
    if (rateMBps <= 1) expect(pauseMs).toBe(60);
  },
);
