/** One wake-up of the pacer. Instants of the monotonic clock, except `realtimeNs`. */
export interface Tick {
  /** The instant that was asked for, ns. */
  readonly deadlineNs: bigint;
  /** The instant at which the pacer's thread woke, ns. */
  readonly wokeAtNs: bigint;
  /** The realtime clock at the wake-up, ns since 1970. */
  readonly realtimeNs: bigint;
}

/** Sleeps in a thread of its own until an absolute instant, then ticks once. */
export interface Pacer {
  /**
   * Ticks once at this instant of the monotonic clock, ns, or at once when it is past. Replaces an
   * earlier deadline.
   * @throws HlcError `HLC_CLOSED` after the context was closed; `disarm` does, too.
   */
  arm(deadlineNs: bigint): void;
  disarm(): void;
  /** Called for every tick; replaces the one before. */
  onTick(listener: (tick: Tick) => void): void;
}
