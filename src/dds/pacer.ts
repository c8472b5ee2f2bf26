import type { TransportWriter } from '../core/ports/index.js';

/** One wake-up of the pacer. Instants of the monotonic clock, except `realtimeNs`. */
export interface Tick {
  /** The instant that was asked for, ns. */
  readonly deadlineNs: bigint;
  /** The instant at which the pacer's thread woke, ns. */
  readonly wokeAtNs: bigint;
  /** The realtime clock at the wake-up, ns since 1970. */
  readonly realtimeNs: bigint;
}

/** A start signal that is made ahead of time. */
export interface PreparedStart {
  /** CDR, little endian, that begins with the time of the period; copied. */
  readonly sample: Uint8Array;
  /** That time, ns; when it is sent for a later period, it gets the time of that. */
  readonly tNowNs: bigint;
  /** The instant at which it is due, monotonic, ns. */
  readonly dueAtNs: bigint;
  readonly periodNs: bigint;
  /** For a later period it is sent when that is late by this much, ns. */
  readonly graceNs: bigint;
  /** How often in a row it may be sent. */
  readonly left: number;
}

/** A start signal that the pacer has sent. */
export interface SentStart {
  /** The time of the period, ns. */
  readonly tNowNs: bigint;
  /** When it was sent, on both clocks, ns. */
  readonly monotonicNs: bigint;
  readonly realtimeNs: bigint;
  /** True when its content was made for an earlier period. */
  readonly repeated: boolean;
}

/** Sleeps in a thread of its own until an absolute instant, then ticks once, or sends a start signal. */
export interface Pacer {
  /**
   * Ticks once at this instant of the monotonic clock, ns, or at once when it is past. Replaces an
   * earlier deadline.
   * @throws HlcError `HLC_CLOSED` after the context was closed; all others do, too.
   */
  arm(deadlineNs: bigint): void;
  disarm(): void;
  /** Called for every tick; replaces the one before. */
  onTick(listener: (tick: Tick) => void): void;
  /**
   * Says what the pacer's thread is to send when it is due, and then, when this thread neither
   * prepares nor claims a later period in time, for that. Nothing is sent when half of a period is
   * over, or when the wall clock was set. Replaces the one before.
   * @returns false when only this thread can send with that writer.
   */
  prepareStart(writer: TransportWriter, prepared: PreparedStart): boolean;
  /**
   * This thread is about to send what was due at that instant.
   * @param left as in `PreparedStart`, from the next period on
   * @returns false when the pacer has sent it; `onStartSent` tells, or has told.
   */
  claim(dueAtNs: bigint, left: number): boolean;
  /** The pacer sends nothing until the next `prepareStart`. */
  cancelStart(): void;
  /** Called for everything that the pacer sent, in its place among all other events. */
  onStartSent(listener: (startSent: SentStart) => void): void;
}
