import { later } from '../time.js';
import type { WatchedSession } from './watched-session.js';

type Sessions = Iterable<WatchedSession>;

/**
 * The end of a guard. It waits for its vehicles to stand, and first for one detection time: until then
 * a middleware that failed shortly before may not have been silent for long enough.
 */
export class GuardEnd {
  readonly #askedAtNs: bigint;
  readonly #untilNs: bigint;

  /**
   * @param askedAtNs steady, ns.
   * @param longestNs the vehicles may take so long to rest once their middleware is silent, ns.
   */
  constructor(sessions: Sessions, askedAtNs: bigint, longestNs: bigint) {
    let detectionNs = 0n;
    for (const { limitNs } of sessions) detectionNs = later(detectionNs, limitNs);
    this.#askedAtNs = askedAtNs;
    this.#untilNs = askedAtNs + detectionNs + longestNs;
  }

  /** True when the guard can end, or has waited for long enough. */
  isOver(sessions: Sessions, nowNs: bigint): boolean {
    if (nowNs >= this.#untilNs) return true;
    for (const session of sessions) {
      if (session.stopping.length > 0) return false;
      if (!session.isAlive) continue;
      const isDecided = nowNs - this.#askedAtNs >= session.limitNs;
      if (!isDecided || !session.isReportedSince(this.#askedAtNs)) return false;
    }
    return true;
  }
}
