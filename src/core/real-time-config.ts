import { earlier, NS_PER_MS } from './clock-reading.js';
import type { OverrunPolicy } from './pacing.js';
import type { SessionConfig } from './session-config.js';

/** What a real-time session is told once. The offset is less than the period. */
export interface RealTimeConfig extends SessionConfig {
  /** True: sign in, and start with the lab's system trigger. False: start when all are ready. */
  readonly waitForStart: boolean;
  /** End when the lab's trigger stays out for this time, ns, above 0; null: wait for ever. */
  readonly startTimeoutNs: bigint | null;
  readonly overrun: OverrunPolicy;
  /** A start signal that is late by more than this is an overrun, ns; less than the period. */
  readonly latestStartNs: bigint;
  /**
   * How long after its end a period is judged, ns, so that replies which were received in time
   * are handed over first. They still count only when received in time.
   */
  readonly judgeDelayNs: bigint;
}

/** The default of `judgeDelayNs`: a tenth of the period, at most 1 ms. */
export function defaultJudgeDelay(periodNs: bigint): bigint {
  return earlier(periodNs / 10n, NS_PER_MS);
}
