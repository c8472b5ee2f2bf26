import { forgetOldest } from '../../core/index.js';
import type { Logger } from '../logger.js';

/**
 * Lets one of many equal warnings through in an interval, and says how many it kept back: what
 * comes from the network can come at any rate, a log line must not.
 */
export class RateLimiter {
  readonly #last = new Map<string, { atNs: bigint; suppressed: number }>();

  /**
   * @param intervalNs at most one pass per key in this time, ns
   * @param mostKeys oldest keys are forgotten beyond this number
   */
  constructor(
    private readonly intervalNs = 1_000_000_000n,
    private readonly mostKeys = 1000,
  ) {}

  /**
   * @param nowNs steady clock
   * @returns how many were kept back since the last pass, or undefined when this one is, too
   */
  pass(key: string, nowNs: bigint): number | undefined {
    const last = this.#last.get(key);
    if (last !== undefined && nowNs - last.atNs < this.intervalNs) {
      last.suppressed++;
      return undefined;
    }
    this.#last.delete(key);
    this.#last.set(key, { atNs: nowNs, suppressed: 0 });
    forgetOldest(this.#last, this.mostKeys);
    return last?.suppressed ?? 0;
  }

  /** Logs a warning unless it is kept back, with the number of those that were. */
  warn(log: Logger, key: string, nowNs: bigint, details: object, text: string): void {
    const suppressed = this.pass(key, nowNs);
    if (suppressed === undefined) return;
    log.warn(suppressed > 0 ? { ...details, suppressed } : details, text);
  }
}
