import type { EmergencyStop, EmergencySample } from './emergency-stop.js';
import type { StopRamps } from './stop-ramps.js';
import type { TimedWriter } from './timed-writer.js';
import type { Watchdog } from './watchdog.js';

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
  readonly stopRamps: StopRamps;
  readonly statusBeacon: StatusBeacon;
  readonly watchdog: Watchdog;
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

/** Shows other processes that this one is alive. */
export interface StatusBeacon {
  /**
   * From now on the pacer's thread writes this sample at every interval while the last `beat` of the
   * emergency stop is younger than the limit of its hang guard; always when there is no limit. The
   * first one is written at once; a replacement when the one before would have been. Undefined ends
   * it. The listener of the writer gets an error (`onWriteFailed`) when a write fails after one that
   * did not.
   * @param intervalNs above 0, at most one day
   * @returns false when only this thread can write with that writer: it is of another transport,
   *   and there is no beacon.
   * @throws HlcError `HLC_CLOSED` when the writer or the pacer is closed.
   */
  set(sample: EmergencySample | undefined, intervalNs: bigint): boolean;
}
