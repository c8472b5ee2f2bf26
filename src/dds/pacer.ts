import type { EmergencyStop } from './emergency-stop.js';
import type { TimedWriter } from './timed-writer.js';

/** One wake-up of the pacer. Instants of the monotonic clock, except `realtimeNs`. */
export interface Tick {
  /** The instant that was asked for, ns. */
  readonly deadlineNs: bigint;
  /** The instant at which the pacer's thread woke, ns. */
  readonly wokeAtNs: bigint;
  /** The realtime clock at the wake-up, ns since 1970. */
  readonly realtimeNs: bigint;
}

/**
 * A thread that sleeps until an absolute instant and then ticks once, and that writes samples by
 * itself. After `close`, or after the context was closed, all of it throws HlcError `HLC_CLOSED`.
 */
export interface Pacer {
  readonly timedWriter: TimedWriter;
  readonly emergencyStop: EmergencyStop;
  /**
   * Ticks once at this instant of the monotonic clock, ns, or at once when it is past. Replaces an
   * earlier deadline.
   */
  arm(deadlineNs: bigint): void;
  disarm(): void;
  /** Called for every tick; replaces the listener before. */
  onTick(listener: (tick: Tick) => void): void;
  /** Ends the thread; no listener is called after it. Twice is allowed. */
  close(): void;
}
