import { loadNative } from './native.js';

/**
 * How a program shares the cores with the control loop.
 *
 * - `observer`: it only looks. Its threads preempt no other thread when they wake up, and have a tenth of
 *   the weight of others. So much they keep when all cores are busy: a recorder loses nothing there.
 * - `gateway`: it takes part as a controller or a vehicle, and keeps its full share.
 *
 * The time slice of both is the longest that the system has, so that from Linux 6.12 on a thread of the
 * control loop that wakes up preempts them at once, not at the end of a slice of about 1.4 ms.
 */
const shares = {
  observer: { batch: true, niceness: 10 },
  gateway: { batch: false, niceness: 0 },
} as const;

const longestSliceMs = 100;

/**
 * Sets this for all threads of this process. A thread that the user has put under another policy
 * (`chrt`) or at a higher niceness (`nice`) keeps it. What the system refuses stays as it is.
 */
export function shareCores(role: keyof typeof shares): void {
  const { batch, niceness } = shares[role];
  loadNative().shareCores(batch, niceness, longestSliceMs);
}
