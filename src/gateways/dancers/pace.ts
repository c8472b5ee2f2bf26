import { setTimeout as wait } from 'node:timers/promises';

/** Shorter waits are below the resolution of timers, ms. */
const leastWaitMs = 1;

/** Limits the ratio of simulated time to real time. Time that a window is late is not caught up. */
export class Pace {
  #dueMs: number;

  /**
   * @param windowMs Real time of a window, ms; 0: no limit.
   * @param nowMs Any monotonic clock, ms.
   */
  constructor(
    private readonly windowMs: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#dueMs = nowMs();
  }

  /** Settles when the next window may end. */
  async window(): Promise<void> {
    if (this.windowMs === 0) return;
    const nowMs = this.nowMs();
    this.#dueMs = Math.max(this.#dueMs, nowMs - leastWaitMs) + this.windowMs;
    const leftMs = this.#dueMs - nowMs;
    if (leftMs >= leastWaitMs) await wait(leftMs);
  }
}
