import { oneAtATime } from '../support/one-at-a-time.js';

/** So many labs start programs, or drive towards their fault, at the same time. */
const slots = ['lab-start-0', 'lab-start-1'] as const;
let next = process.pid;

/** The periods in which a vehicle is not stopped yet are longer than what a start takes from others, ms. */
const steadyFromMs = 50;

/**
 * Starts a lab and lets it drive. What it takes to start programs, and their first periods, disturb a lab
 * that drives: a middleware that gets no processor time stops its vehicles before the fault. A lab
 * with short periods is alone.
 */
export async function whileItStarts<T>(
  flags: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const periodMs = Number(/--period-ms=(\S+)/.exec(flags.join(' '))?.[1] ?? 0);
  if (periodMs < steadyFromMs) return await withoutStarts(work);
  return await oneAtATime(slots[next++ % slots.length] ?? slots[0], work);
}

/** No lab of this machine starts meanwhile. */
export async function withoutStarts<T>(work: () => Promise<T>): Promise<T> {
  const [first, second] = slots;
  return await oneAtATime(first, () => oneAtATime(second, work));
}
