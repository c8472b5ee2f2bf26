import type { EmergencyStop } from '../../dds/index.js';
import { emergencyDurationNs, emergencyRepeatNs } from './emergency-samples.js';

/** A hang of the control loop counts from this time on where --hang-limit-ms=0 stops no vehicle, ns. */
export const hangOfControlLoopNs = 1_000_000_000n;

/**
 * From now on the pacer sends the emergency samples when JavaScript stands still for longer than the limit.
 * @param limitNs ns; null: such a hang stops no vehicle, and is reported only.
 */
export function armHangGuard(emergencyStop: EmergencyStop, limitNs: bigint | null): void {
  emergencyStop.armHangGuard({
    afterNs: limitNs ?? hangOfControlLoopNs,
    repeatNs: emergencyRepeatNs,
    durationNs: emergencyDurationNs,
    watchOnly: limitNs === null,
  });
}

/** From now on no hang counts. */
export function disarmHangGuard(emergencyStop: EmergencyStop): void {
  emergencyStop.armHangGuard({ afterNs: 0n, repeatNs: 0n, durationNs: 0n });
}
