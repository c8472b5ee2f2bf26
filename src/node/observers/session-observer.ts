import type { ClockReading } from '../../core/index.js';
import type { NestedSample } from '../../messages/index.js';
import type { ObservedEffect, ObservedEvent, Performed, SessionSettings } from '../../tap/index.js';

export type { Performed };

/** An event of either kind of session, over the samples of the wire contract. */
export type NodeEvent = ObservedEvent;

/** An effect of either kind of session, over the samples of the wire contract. */
export type NodeEffect = ObservedEffect<NestedSample>;

/** An effect, and the result of performing it. */
export interface PerformedEffect {
  readonly effect: NodeEffect;
  readonly performed: Performed;
}

/**
 * Sees all that a session takes in and does, in order: each event, then its effects, all after the
 * effects were performed. An observer changes nothing in the session. One that throws is removed.
 */
export interface SessionObserver {
  /** For the log: "statistics", for example. */
  readonly name: string;
  /** True while it wants the samples of start signals in `Performed`. */
  readonly wantsSamples?: boolean;
  /** A session begins. @param now both clocks, from which its waits begin. */
  begun?(settings: SessionSettings, now: ClockReading): void;
  /** An event and all its effects. Bytes are valid during the call only. @param at as for `event`. */
  handled?(event: NodeEvent, effects: readonly PerformedEffect[], at: ClockReading): void;
  /** @param at both clocks just after the effects of the event were performed. */
  event?(event: NodeEvent, at: ClockReading): void;
  /**
   * The bytes of a command are valid during the call only.
   * @param at as for the event that caused the effect.
   */
  effect?(effect: NodeEffect, performed: Performed, at: ClockReading): void;
  /**
   * Simulated time: asked after each event. The next step waits until the promise settles, which it does within a
   * bounded time; undefined: for nothing.
   */
  timeHold?(): Promise<void> | undefined;
  /**
   * Simulated time is held for an observer from now on, or no longer.
   * @param isPaused it goes on being paused, by the user.
   */
  held?(isHeld: boolean, isPaused: boolean): void;
  /** The event loop stood still for this time, ns, when it was due to act. */
  stalled?(stallNs: bigint): void;
  /**
   * Real time: a wake-up is handled, and no start signal waits for this thread. What this takes
   * delays the events that come meanwhile.
   */
  idle?(): void;
}

/** Called at the places where a fault may arise, so that a test can throw there. */
export interface SessionProbes {
  /** Before the session takes the event in. */
  event?(event: NodeEvent): void;
  /** Before the effect is performed. */
  effect?(effect: NodeEffect): void;
}
