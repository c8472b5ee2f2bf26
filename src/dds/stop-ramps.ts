import type { EmergencySample } from './emergency-stop.js';

/** A stop command that was written just now, and the speed that it asks for. */
export interface StopRamp {
  readonly sample: Omit<EmergencySample, 'occasion'>;
  /** Place of the speed in the bytes: a 64-bit float, little endian. */
  readonly speedOffset: number;
  /** m/s, negative when driving backwards. */
  readonly speedMps: number;
  /** The speed goes to 0 like this, m/s², above 0. */
  readonly brakingMps2: number;
}

/** When a ramp is continued, ns; each at most one day. */
export interface RampTimes {
  /** From `set` to the first repetition. */
  readonly afterNs: bigint;
  /** From one repetition to the next, above 0. */
  readonly repeatNs: bigint;
  /** The repetitions end this long after speed 0. */
  readonly restNs: bigint;
}

/**
 * The stops that are under way. Where this thread does not write the next command of a stop in time, the
 * pacer's thread writes the last one again, with new stamps and the speed that is left; but not at once after
 * the whole process was held up, since this thread may be back. A hang that counts ends all ramps: the
 * emergency samples follow.
 */
export interface StopRamps {
  /**
   * The command went out just now. Replaces the ramp under this key, an integer of 32 bits.
   * @returns false when only this thread can write with that writer: it is of another transport.
   * @throws HlcError `HLC_CLOSED` when the writer or the pacer is closed.
   */
  set(key: number, ramp: StopRamp, times: RampTimes): boolean;
  /** @throws HlcError `HLC_CLOSED` when the pacer is closed. */
  remove(key: number): void;
}
