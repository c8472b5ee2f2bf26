import type { CommandRules } from './check-policy.js';

/** What a lock-step session is told once. */
export interface LockStepConfig {
  /** The controllers to wait for: 0 to 255, at least one. */
  readonly vehicleIds: readonly number[];
  /** The vehicles to list. */
  readonly activeVehicleIds: readonly number[];
  /** Simulated time from step to step, above 0. */
  readonly periodNs: bigint;
  /** The time of the first step, 0 or more; it may exceed the period. */
  readonly offsetNs: bigint;
  readonly timeSource: TimeSource;
  /** End after this many steps; null: do not end. */
  readonly periods: number | null;
  /** End when not all controllers are ready after this time, ns, above 0; null: wait for ever. */
  readonly readyTimeoutNs: bigint | null;
  /**
   * End when the lab's trigger for a step stays out for this real time, ns, above 0; null: wait
   * for ever.
   */
  readonly startTimeoutNs: bigint | null;
  /** What to do when replies stay out; null: wait for ever. */
  readonly replyTimeout: ReplyTimeoutRule | null;
  /** As given, but no create stamp may be ahead of simulated time. */
  readonly rules: CommandRules;
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
   * `wait`: only tell it. `drop`: those missing are dead, the step goes on without them; so are
   * controllers whose process is gone, at once. `halt`: end the session.
   */
  readonly policy: 'wait' | 'drop' | 'halt';
}
