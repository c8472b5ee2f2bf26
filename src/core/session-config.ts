import type { CommandRules } from './check-policy.js';
import type { SupervisionConfig } from './supervision/miss-policy.js';
import { earlier, nsPerMs } from './time.js';
import type { OverrunPolicy } from './pacing.js';

/** The settings of a session of either kind. */
export interface SessionConfig {
  /** The controllers to wait for: 0 to 255, at least one. */
  readonly vehicleIds: readonly number[];
  /** `any`: a controller that is not awaited is admitted when it signs in. */
  readonly admit: 'listed' | 'any';
  /** The vehicles to list. */
  readonly activeVehicleIds: readonly number[];
  /** True: the vehicle of an admitted controller is listed, too. */
  readonly listAdmitted: boolean;
  /** From one start signal to the next, ns, above 0. */
  readonly periodNs: bigint;
  /** Phase of the period, ns, 0 or more. */
  readonly offsetNs: bigint;
  /** End after this many start signals; null: do not end. */
  readonly periods: number | null;
  /** End when not all controllers are ready after this time, ns, above 0; null: wait for ever. */
  readonly readyTimeoutNs: bigint | null;
  readonly rules: CommandRules;
  readonly supervision: SupervisionConfig;
  /** At the end of a run, vehicles are brought to rest for this time at most, ns, above 0. */
  readonly endTimeoutNs: bigint;
}

/** The settings of a real-time session. The offset is less than the period. */
export interface RealTimeConfig extends SessionConfig {
  /** True: sign in, and start with the lab's system trigger. False: start when all are ready. */
  readonly waitForStart: boolean;
  /** End when the lab's trigger stays out for this time, ns, above 0; null: wait for ever. */
  readonly startTimeoutNs: bigint | null;
  /**
   * No start signal goes out for this time after the begin of the session, ns: a guard that holds
   * vehicles must have been discovered first, or commands for these would be forwarded.
   */
  readonly listeningNs: bigint;
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
  return earlier(periodNs / 10n, nsPerMs);
}

/**
 * The settings of a lock-step session. The offset is the time of the first step and may exceed
 * the period. The rules hold as given, but no create stamp may be ahead of simulated time.
 */
export interface LockStepConfig extends SessionConfig {
  readonly timeSource: TimeSource;
  /**
   * End when the lab's trigger for a step stays out for this real time, ns, above 0; null: wait
   * for ever.
   */
  readonly startTimeoutNs: bigint | null;
  /** What to do when replies stay out; null: wait for ever. */
  readonly replyTimeout: ReplyTimeoutRule | null;
}

/** Who moves simulated time. */
export type TimeSource =
  /** The lab control: sign in with the wanted time, step when its trigger names that time. */
  | { readonly kind: 'lab' }
  /** The session itself: the next step begins as soon as the last one is over. */
  | {
      readonly kind: 'self';
      /** Simulated seconds per real second at most, above 0; null: as fast as possible. */
      readonly realTimeFactor: number | null;
      /** The last step is the last one not after this time, ns; null: do not end. */
      readonly untilNs: bigint | null;
    };

/** What to do when a step is not answered within a time. */
export interface ReplyTimeoutRule {
  /** Real time after the start signal, ns, above 0. */
  readonly afterNs: bigint;
  /**
   * `wait`: only report it. `drop`: those missing are dead, the step goes on without them; so are
   * controllers whose process is gone, at once. `halt`: end the session.
   */
  readonly policy: 'wait' | 'drop' | 'halt';
}
