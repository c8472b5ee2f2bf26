import type { LatchedVehicle } from '../supervision/miss-policy.js';
import { later, nsPerMs } from '../time.js';
import type { MiddlewareReport } from './reports.js';

/** So long a guard that has just begun needs to see which vehicles stand, and who drives them, ns. */
export const leastLatchedWaitNs = 600n * nsPerMs;

/** In place of the epoch of a session, where the vehicles are those of a latch file. */
const epochOfLatches = -1n;

/** True for the report of {@link latchedReport}. */
export function isOfLatches({ epoch }: MiddlewareReport): boolean {
  return epoch === epochOfLatches;
}

/**
 * What a middleware would report that has just commanded these vehicles: they are watched, and stopped,
 * like those of one.
 * @param nowNs on the clock of the stamps, ns.
 */
export function latchedReport(
  sourceId: string,
  vehicles: readonly LatchedVehicle[],
  periodNs: bigint,
  nowNs: bigint,
): MiddlewareReport {
  return {
    sourceId,
    epoch: epochOfLatches,
    tNowNs: nowNs,
    periodNs,
    simulatedTime: false,
    phase: 'stopping',
    vehicles: vehicles.map(({ id, kinds, sent }) => ({
      id,
      kinds,
      newestCreateNs: later(nowNs, sent?.createNs ?? nowNs),
      newestValidNs: later(nowNs, sent?.validNs ?? nowNs),
      obeyedUntilNs: null,
    })),
    takenOver: [],
  };
}
