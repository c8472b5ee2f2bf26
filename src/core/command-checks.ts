import { later } from './clock-reading.js';
import { type Command, createStampOf } from './command.js';
import { checkNumbers, checkPath, checkTrajectory } from './command-content.js';
import { type Violation, violation } from './violation.js';

/** How some checks measure. */
export interface CheckSettings {
  /** A create stamp may be ahead of the clock by this much, ns: clocks of two machines differ. */
  readonly futureToleranceNs: bigint;
  /**
   * What past and future of a trajectory are measured against. `validAfter`: the message's own
   * valid-after stamp, a past point being before it (CPM Lab middleware). `firstUse`: the
   * valid-after stamp or now, whichever is later, a past point being at or before it; that is the
   * first instant at which the vehicle can follow the trajectory, so a trajectory that is over
   * when it arrives does not pass.
   */
  readonly trajectoryReference: 'firstUse' | 'validAfter';
  /**
   * The first and last pose of a path may differ by this much, m and rad, and a yaw by whole
   * turns; null compares exactly (CPM Lab middleware).
   */
  readonly pathClosure: number | null;
}

/** What a command is measured against. */
export interface CheckContext {
  /** True when the vehicle's controller is assigned. */
  readonly assigned: boolean;
  /** True when that controller's own process made it, as far as the transport can tell. */
  readonly owned: boolean;
  /** True when that controller takes part now. */
  readonly takesPart: boolean;
  /** The least create stamp of an answer to the current period, ns; null when there is none. */
  readonly periodFromNs: bigint | null;
  /** Create stamp of the last command forwarded for this vehicle, ns. */
  readonly lastCreateNs: bigint | undefined;
  /** Now, ns: the wall clock at reception, or simulated time. */
  readonly nowNs: bigint;
}

const nothing: readonly Violation[] = [];

/**
 * All checks that a command does not pass; empty for a command that is in order. Nothing else is
 * looked at in a command for an unknown vehicle.
 */
export function checkCommand(
  command: Command,
  context: CheckContext,
  settings: CheckSettings,
): readonly Violation[] {
  const vehicleId = command.message.vehicle_id;
  if (!context.assigned) return [violation('unknownVehicle', { vehicleId })];
  const found: Violation[] = [];
  if (!context.owned) found.push(violation('otherWriter', { vehicleId }));
  checkTimes(command, context, settings, found);
  checkNumbers(command, found);
  if (command.kind === 'trajectory') {
    const { message } = command;
    const validAfterNs = message.header.valid_after_stamp.nanoseconds;
    if (settings.trajectoryReference === 'firstUse') {
      // A point at the very instant of use is as good as one before it.
      checkTrajectory(message, later(validAfterNs, context.nowNs) + 1n, found);
    } else {
      checkTrajectory(message, validAfterNs, found);
    }
  } else if (command.kind === 'pathTracking') {
    checkPath(command.message, settings.pathClosure, found);
  }
  return found.length === 0 ? nothing : found;
}

function checkTimes(
  command: Command,
  context: CheckContext,
  settings: CheckSettings,
  found: Violation[],
): void {
  const vehicleId = command.message.vehicle_id;
  const createNs = createStampOf(command);
  const { periodFromNs, lastCreateNs, nowNs } = context;
  if (periodFromNs === null) {
    found.push(violation('noPeriod', { vehicleId }));
  } else {
    if (!context.takesPart) found.push(violation('notTakingPart', { vehicleId }));
    if (createNs < periodFromNs) {
      const lateByNs = periodFromNs - createNs;
      found.push(violation('createdBeforePeriod', { vehicleId, lateByNs }));
    }
  }
  if (createNs > nowNs + settings.futureToleranceNs) {
    found.push(violation('createdInFuture', { vehicleId, aheadNs: createNs - nowNs }));
  }
  if (lastCreateNs !== undefined && createNs <= lastCreateNs) {
    found.push(violation('notNewer', { vehicleId, olderByNs: lastCreateNs - createNs }));
  }
}
