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

/** What the pacer sends, once per period, while the JavaScript thread stands still. */
export interface StandIn {
  /** CDR, little endian, that begins with the time of the period; copied. */
  readonly sample: Uint8Array;
  /** That time, ns; later periods get theirs. */
  readonly tNowNs: bigint;
  /** The instant at which this thread is to send it, monotonic, ns. */
  readonly dueAtNs: bigint;
  readonly periodNs: bigint;
  /** The pacer sends it when it is late by this much, ns. */
  readonly graceNs: bigint;
  /** How often in a row it may do so. */
  readonly left: number;
}

/** What the pacer has sent. */
export interface StoodIn {
  /** The time of the period, ns. */
  readonly tNowNs: bigint;
  /** When it was sent, on both clocks, ns. */
  readonly monotonicNs: bigint;
  readonly realtimeNs: bigint;
}

/** Sleeps in a thread of its own until an absolute instant, then ticks once. */
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
   * Says what the pacer's thread is to send when this thread has not claimed a period in time, and
   * then for each period after it. It does not when a period is half over, or when the wall clock was
   * set. Replaces the one before.
   * @returns false when only this thread can send with that writer.
   */
  prepareStandIn(writer: TransportWriter, standIn: StandIn): boolean;
  /**
   * This thread is about to send what was due at that instant.
   * @param left as in `StandIn`, from the next period on
   * @returns false when the pacer has sent it; `onStoodIn` tells, or has told.
   */
  claim(dueAtNs: bigint, left: number): boolean;
  /** The pacer sends nothing until the next `prepareStandIn`. */
  standDown(): void;
  /** Called for everything that the pacer sent, in its place among all other events. */
  onStoodIn(listener: (stoodIn: StoodIn) => void): void;
}
