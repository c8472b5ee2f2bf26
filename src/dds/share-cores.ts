import { loadNative } from './native.js';

/**
 * How a program shares the cores with the control loop. The usual time slice is 0.7 ms on one core and
 * 2.8 ms on eight or more; from Linux 6.12 on, a waking thread of the control loop at once preempts a
 * thread with a longer slice, and otherwise waits for its end.
 *
 * - `observer`: it only looks. Its threads preempt no other thread when they wake up, and have a tenth of
 *   the weight of others. So much they keep when all cores are busy: a recorder loses nothing there.
 * - `gateway`: it takes part as a controller or a vehicle, and keeps its full share. On busy cores a thread
 *   also waits longer for its turn, the longer its slice; so this one is just above the usual.
 */
const shares = {
  observer: { batch: true, niceness: 10, sliceMs: 100 },
  gateway: { batch: false, niceness: 0, sliceMs: 4 },
} as const;

/**
 * Sets this for all threads of this process. A thread that the user has put under another policy
 * (`chrt`) or at a higher niceness (`nice`) keeps it. What the system refuses stays as it is.
 */
export function shareCores(role: keyof typeof shares): void {
  const { batch, niceness, sliceMs } = shares[role];
  loadNative().shareCores(batch, niceness, sliceMs);
}
