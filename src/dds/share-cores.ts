import { loadNative } from './native.js';

/** Lower than any niceness: each thread keeps its own. */
const ownNiceness = -20;

/** The shortest and the longest time slice that the system has, µs. */
const shortestSliceUs = 100;
const longestSliceUs = 100_000;

/**
 * A gateway takes part: on a busy machine a thread with a longer slice also waits longer for its turn, µs.
 * The garbage collection and the compiler of the control loop have the same one.
 */
const gatewaySliceUs = 4000;

/** As the add-on numbers them. */
const threads = { all: 0, samples: 1, workers: 2 } as const;

interface Share {
  readonly of: keyof typeof threads;
  readonly batch: boolean;
  readonly niceness: number;
  readonly sliceUs: number;
}

/**
 * How a program shares the cores with others. From Linux 6.12 on a thread that wakes up preempts those
 * with a longer time slice at once. It otherwise waits for the end of their slice: 0.7 ms on one core,
 * 2.8 ms on eight or more; or for the next tick of the system, every 4 ms on many.
 *
 * - `controlLoop`: its pacer and its receiving threads preempt all others, also its own garbage collection. Its
 *   JavaScript thread does not preempt the controllers, which receive start signals while it goes on.
 * - `gateway`: it takes part as a controller or a vehicle, and keeps its full share.
 * - `observer`: it only looks. Its threads preempt no other thread when they wake up, and have a tenth of
 *   the weight of others. So much they keep when all cores are busy: a recorder loses nothing there.
 */
const shares: Readonly<Record<'controlLoop' | 'gateway' | 'observer', readonly Share[]>> = {
  controlLoop: [
    { of: 'samples', batch: false, niceness: ownNiceness, sliceUs: shortestSliceUs },
    { of: 'workers', batch: false, niceness: ownNiceness, sliceUs: gatewaySliceUs },
  ],
  gateway: [{ of: 'all', batch: false, niceness: ownNiceness, sliceUs: gatewaySliceUs }],
  observer: [{ of: 'all', batch: true, niceness: 10, sliceUs: longestSliceUs }],
};

/**
 * Sets this for the threads of this process that there are. A thread that the user has put under another policy
 * (`chrt`) or at a higher niceness (`nice`) keeps it. What the system refuses stays as it is.
 */
export function shareCores(role: keyof typeof shares): void {
  for (const { of, batch, niceness, sliceUs } of shares[role]) {
    loadNative().shareCores(threads[of], batch, niceness, sliceUs);
  }
}
