import type { TransportWriter } from '../ports/index.js';

/** A place that gets the time of the writing. */
export interface StampPatch {
  readonly offset: number;
  readonly deltaNs: bigint;
  /** It says when something holds by the clock of the receiver; default: false. */
  readonly isTime?: boolean;
}

/** A sample that the pacer's thread can write without JavaScript, with the time of the writing. */
export interface EmergencySample {
  readonly writer: TransportWriter;
  /** CDR, little endian, at most 64 KiB; copied. */
  readonly bytes: Uint8Array;
  /**
   * Places of unsigned 64-bit integers, little endian, that get the value base + delta. The base is
   * the wall clock, ns since 1970, or the simulated time that was set, and at least the floor; it rises from write
   * to write.
   */
  readonly patches: readonly StampPatch[];
  /** Minimum of the base, ns since 1970. */
  readonly floorNs: bigint;
  /**
   * The clock of the receiver less the steady one, ns: the base of an `isTime` is not above the steady clock plus
   * this. The wall clock may be set forward before the sample is written; default 0. Of no use in simulated time.
   */
  readonly clockOffsetNs?: bigint;
  /**
   * Written by `sendBlocking` only, or by the thread of the hang guard only; always unless given. Those after
   * a hang are not written at once after a suspension of the whole process: this thread may be back. They are
   * written 0.3 s later if it does not beat, unless `guarded`. Those with `unlessSuspended` are written with
   * these, and by `sendBlocking` together with those that name a place.
   */
  readonly occasion?: 'always' | 'atOnce' | 'afterHang' | 'unlessSuspended';
}

/** When this thread counts as hanging, and how the emergency samples are repeated then. */
export interface HangGuardOptions {
  /** Age of the last beat, ns; 0 turns the guard off. At most one day, as the other two. */
  readonly afterNs: bigint;
  /** Time from one repetition to the next, ns; 0 is no repetition. */
  readonly repeatNs: bigint;
  /** No repetition begins later than this after the first, ns. */
  readonly durationNs: bigint;
  /**
   * True: a hang silences the status beacon and the watchdog, and nothing is written. The stop ramps are those of
   * vehicles that need not have a sample: they go on during `sendBlocking`.
   */
  readonly watchOnly?: boolean;
  /**
   * True: another process stops the vehicles while this one is held up. The samples for a hang are then not
   * written for one in which the process was held up: the vehicles may be elsewhere by then.
   */
  readonly guarded?: boolean;
}

/**
 * What happened since this thread beat last, or in a hang that it has not seen:
 * - `none`: nothing, or only what it did itself;
 * - `suspended`: the whole process was held up;
 * - `stopped`: it hung, and all samples for that were written.
 */
export type Stall = 'none' | 'suspended' | 'stopped';

/** The emergency samples were written because this thread did not beat. */
export interface HangStop {
  /** Age of the last beat when the first of them was written, ns. */
  readonly silentNs: bigint;
  /**
   * False: those of the occasion `afterHang` were not written. The process was held up, and this thread
   * continued before they were due, or only this thread can write them.
   */
  readonly isComplete: boolean;
}

/** Samples that stop everything, prepared beforehand and written without JavaScript where that can be. */
export interface EmergencyStop {
  /**
   * Replaces the sample under this key; undefined removes it. Samples are written in the order of
   * their keys. The key is an integer of 32 bits.
   * @returns false when only this thread can write with that writer: it is of another transport. Then
   *   `sendBlocking` writes the sample, and no hang: after a hang this thread writes it once it runs
   *   again, unless it has an occasion of its own.
   * @throws HlcError `HLC_CLOSED` when the writer or the pacer is closed.
   */
  set(key: number, sample: EmergencySample | undefined): boolean;
  /**
   * The simulated time, ns: from now on the base of all stamps, in place of the wall clock and the steady one.
   * Cheap.
   */
  setTime(simulatedNs: bigint): void;
  /**
   * Called once, before `sendBlocking` writes for the first time: what is set then is written. What it throws is
   * ignored. Replaces the listener before.
   * @param listener returns false when something else has stopped the vehicles, or is to stop them, and knows where
   *   they are: then no samples that name a place are written, and the status beacon ends.
   */
  onSending(listener: (stall: Stall) => boolean): void;
  /**
   * Drops the plan of the timed writer, writes all samples at once, and then every `repeatNs` for
   * `durationNs`. Blocks this thread until then, and counts as beats. Throws nothing after the pacer
   * was closed, so that any exception handler can call it, also twice.
   * @returns samples written
   */
  sendBlocking(repeatNs: bigint, durationNs: bigint): number;
  /**
   * From now on the thread writes by itself (all samples, as the options say) when `beat` was not
   * called for `afterNs`. It drops the plan of the timed writer then. Counts as a beat.
   */
  armHangGuard(options: HangGuardOptions): void;
  /** This thread is alive. Cheap. */
  beat(): void;
  /**
   * Called once for each hang, when JavaScript runs again: with the event of it, or before by `seeHang`.
   * Repetitions may go on by then. Replaces the listener before.
   */
  onSentByHang(listener: (stop: HangStop) => void): void;
  /**
   * Has `onSentByHang` called now where a hang has begun whose event waits in the queue: what was
   * decided before it would not know that the vehicles are stopped. Cheap.
   */
  seeHang(): void;
}
