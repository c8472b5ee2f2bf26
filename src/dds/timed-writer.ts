import type { TransportWriter } from '../ports/index.js';

/** One time at which the sample of a plan is written. */
export interface TimedSlot {
  /** Rises from slot to slot, and over all plans. */
  readonly index: number;
  /** The sample is written at this instant of the monotonic clock, ns; at once when it is past. */
  readonly notBeforeNs: bigint;
  /** After this instant of the monotonic clock, ns, the slot is skipped. */
  readonly notAfterNs: bigint;
  /** Put into the sample at `patchOffset`, as an unsigned 64-bit integer, little endian. */
  readonly value: bigint;
}

/** The slots after the first one of a plan. */
export interface SlotRepeats {
  /** 0 or more; an integer of 32 bits. */
  readonly count: number;
  /** Each is later by this than the one before, ns, above 0; its index is higher by 1, its value by this. */
  readonly everyNs: bigint;
  /** `notBeforeNs` of each is later by this in addition, ns. */
  readonly delayNs: bigint;
}

/** A sample, and when it is to be written. */
export interface TimedPlan {
  /** Reported with every slot that was written; an integer of 32 bits. */
  readonly plan: number;
  readonly writer: TransportWriter;
  /** CDR, little endian; copied. */
  readonly bytes: Uint8Array;
  /** Eight bytes from here lie within `bytes`. */
  readonly patchOffset: number;
  readonly slot: TimedSlot;
  readonly repeats: SlotRepeats;
}

/** A slot that was written, and when, ns. */
export interface SentSlot {
  readonly plan: number;
  readonly index: number;
  readonly value: bigint;
  readonly monotonicNs: bigint;
  readonly realtimeNs: bigint;
}

/**
 * Writes a sample at planned times, in the pacer's thread. A write that fails drops the plan; the
 * listener of the writer gets the error (`onWriteFailed`).
 */
export interface TimedWriter {
  /**
   * Replaces the plan. Left out are slots whose index is not above that of the last one written, and slots
   * whose value is not, unless they end later than that one by a quarter of `everyNs`.
   * From a stop by the hang guard until `onSentByHang` has reported it, the plan is not taken.
   * @returns false when only this thread can write with that writer: it is of another transport.
   * @throws HlcError `HLC_CLOSED` when the writer or the pacer is closed.
   */
  schedule(plan: TimedPlan): boolean;
  /** Index of the last slot that was written, whether `onSent` has reported it or not. */
  lastIndex(): number;
  /** Drops the plan. A slot that is being written at this instant is written when this returns. */
  cancel(): void;
  /**
   * Called for every slot that was written, in its place among all other events: queued before the
   * bytes are written, so that it precedes any answer. Replaces the listener before.
   */
  onSent(listener: (sent: SentSlot) => void): void;
}
