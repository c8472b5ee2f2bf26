import type { EmergencySample } from './emergency-stop.js';

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
