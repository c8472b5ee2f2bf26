import type { SessionConfig } from './session-config.js';

/**
 * What a lock-step session is told once. The offset is the time of the first step and may exceed
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
   * `wait`: only tell it. `drop`: those missing are dead, the step goes on without them; so are
   * controllers whose process is gone, at once. `halt`: end the session.
   */
  readonly policy: 'wait' | 'drop' | 'halt';
}
