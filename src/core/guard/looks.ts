import { earlier, nsPerMs } from '../time.js';

/** The silence of middlewares is judged this often, ns. */
const lookNs = 25n * nsPerMs;

/** Time between two looks beyond this does not count as silence: the guard itself stood still, ns. */
const longestLookNs = 2n * lookNs;

/**
 * A guard that was held up for longer than this, ns, waits as long before it acts: it first receives the
 * samples and discovers the participants of that time. A second delay during this wait does not prolong it;
 * otherwise a guard that is late each time would never act.
 */
const longestPauseNs = 4n * lookNs;

/** When a guard looks at its middlewares, and how much of the time between two looks counts as silence. */
export class Looks {
  #lastNs: bigint | null = null;
  /** The guard stood still itself: it acts at this instant, ns, once it has seen what came meanwhile. */
  #actsAtNs = 0n;

  /** The next look, monotonic, ns; null while there is nothing to look at. */
  get nextAtNs(): bigint | null {
    if (this.#lastNs === null) return null;
    const nextNs = this.#lastNs + lookNs;
    // It goes on looking while it waits: a wait without a look would be one more pause.
    return this.isWaiting ? earlier(nextNs, this.#actsAtNs) : nextNs;
  }

  /** True while the guard only looks, and acts on nothing. */
  get isWaiting(): boolean {
    return this.#lastNs !== null && this.#lastNs < this.#actsAtNs;
  }

  /** There is something to look at, from this monotonic instant on, ns. */
  begin(nowNs: bigint): void {
    this.#lastNs ??= nowNs;
  }

  /** There is nothing to look at any more. */
  end(): void {
    this.#lastNs = null;
  }

  /**
   * The guard looks.
   * @param nowNs monotonic.
   * @returns the part of the time since the last look that counts as silence, ns; null while it waits.
   */
  look(nowNs: bigint): bigint | null {
    const passedNs = nowNs - (this.#lastNs ?? nowNs);
    if (passedNs > longestPauseNs && !this.isWaiting) this.#actsAtNs = nowNs + longestPauseNs;
    this.#lastNs = nowNs;
    return this.isWaiting ? null : earlier(passedNs, longestLookNs);
  }
}
