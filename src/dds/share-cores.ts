import { loadNative } from './native.js';

/** Lower than any niceness: each thread keeps its own. */
const ownNiceness = -20;

/** The shortest and the longest time slice that the system has, µs. */
const shortestSliceUs = 100;
const longestSliceUs = 100_000;

/**
 * A gateway takes part: on a busy machine a thread with a longer slice also waits longer for its turn, µs.
 */
const gatewaySliceUs = 4000;

/**
 * How a program shares the cores with others. From Linux 6.12 on a thread that wakes up preempts those
 * with a longer time slice at once. It otherwise waits for the end of their slice: 0.7 ms on one core,
 * 2.8 ms on eight or more.
 *
 * - `controlLoop`: vehicles wait for it.
 * - `gateway`: it takes part as a controller or a vehicle, and keeps its full share.
 * - `observer`: it only looks. Its threads preempt no other thread when they wake up, and have a tenth of
 *   the weight of others. So much they keep when all cores are busy: a recorder loses nothing there.
 */
const shares = {
  controlLoop: { batch: false, niceness: ownNiceness, sliceUs: shortestSliceUs },
  gateway: { batch: false, niceness: ownNiceness, sliceUs: gatewaySliceUs },
  observer: { batch: true, niceness: 10, sliceUs: longestSliceUs },
} as const;

/**
 * Sets this for all threads of this process. A thread that the user has put under another policy
 * (`chrt`) or at a higher niceness (`nice`) keeps it. What the system refuses stays as it is.
 */
export function shareCores(role: keyof typeof shares): void {
  const { batch, niceness, sliceUs } = shares[role];
  loadNative().shareCores(batch, niceness, sliceUs);
}
