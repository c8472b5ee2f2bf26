import { toMs } from '../core/index.js';
/** The clock that simulated vehicles live by: the computer's, or a simulated one. */
export interface LabClock {
  /** Nanoseconds since 1970, or of the simulated time. */
  nowNs(): bigint;
  /**
   * Calls back once at or soon after a time, never from within this call.
   * @returns Cancels the call; without effect after it.
   */
  at(timeNs: bigint, callback: () => void): () => void;
}

/** Node's timers are up to a millisecond early, since they count from the turn of the event loop. */
const timerEarlyNs = 2_000_000n;

/**
 * The computer's clock. Calls back up to some milliseconds late, as Node's timers do, and early
 * only when the computer's clock is set back meanwhile.
 * @param realtimeNs Reads the computer's clock, nanoseconds since 1970.
 */
export function createSystemClock(realtimeNs: () => bigint): LabClock {
  return {
    nowNs: realtimeNs,
    at(timeNs, callback) {
      const sleep = (remainingNs: bigint) =>
        setTimeout(wake, Math.max(0, Math.ceil(toMs(remainingNs))));
      const wake = (): void => {
        const remainingNs = timeNs - realtimeNs();
        if (remainingNs > 0n && remainingNs <= timerEarlyNs) timer = sleep(remainingNs);
        else callback();
      };
      let timer = sleep(timeNs - realtimeNs());
      return () => {
        clearTimeout(timer);
      };
    },
  };
}
