import type { CommandRules } from './check-policy.js';
import { earlier, NS_PER_MS } from './clock-reading.js';
import type { OverrunPolicy } from './pacing.js';

/** What a real-time session is told once. */
export interface RealTimeConfig {
  /** The controllers to wait for: 0 to 255, at least one. */
  readonly vehicleIds: readonly number[];
  /** The vehicles to list. */
  readonly activeVehicleIds: readonly number[];
  /** Above 0. */
  readonly periodNs: bigint;
  /** 0 or more, less than the period. */
  readonly offsetNs: bigint;
  /** True: sign in, and start with the lab's system trigger. False: start when all are ready. */
  readonly waitForStart: boolean;
  /** End when not all controllers are ready after this time, ns, above 0; null: wait for ever. */
  readonly readyTimeoutNs: bigint | null;
  /** End when the lab's trigger stays out for this time, ns, above 0; null: wait for ever. */
  readonly startTimeoutNs: bigint | null;
  /** End after this many start signals, when the last period is over; null: do not end. */
  readonly periods: number | null;
  readonly overrun: OverrunPolicy;
  readonly rules: CommandRules;
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
