import { later } from './time.js';
import { type Command, createStampOf, validAfterOf } from './command.js';
import { checkNumbers, checkPath, checkTrajectory } from './command-content.js';
import { type Violation, violation } from './violation.js';

/** How some checks measure. */
export interface CheckSettings {
  /**
   * A create stamp may be ahead of the clock by this much, ns: clocks of two machines differ; null:
   * by any time.
   */
  readonly futureToleranceNs: bigint | null;
  /**
   * A create stamp may be before the period by this much, ns: clocks differ, and a stamp that was
   * kept as a floating-point number is rounded.
   */
  readonly pastToleranceNs: bigint;
  /** A command may hold from this time ahead of now, ns; null: from any time. */
  readonly maxAheadNs: bigint | null;
  /** A command may be so old when it is handed to the vehicle, ns; null: of any age. */
  readonly maxAgeNs: bigint | null;
  /** Highest speed that may be commanded, m/s; may be infinite. */
  readonly maxSpeedMps: number;
  /** Highest magnitude of every other number of a command; may be infinite. */
  readonly maxMagnitude: number;
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
  /** True when that controller's own process made it, as far as the transport identifies writers. */
  readonly owned: boolean;
  /** True when that controller takes part now. */
  readonly takesPart: boolean;
  /** The least create stamp of an answer to the current period, ns; null when there is none. */
  readonly periodFromNs: bigint | null;
  /** Create stamp of the last command of this kind that was forwarded for this vehicle, ns. */
  readonly lastCreateNs: bigint | undefined;
  /**
   * From when on the vehicle moves by the commands of its controller that were forwarded, ns;
   * undefined when none was since the controller takes part.
   */
  readonly movesFromNs: bigint | undefined;
  /** Now, ns: the wall clock at reception, or simulated time. */
  readonly nowNs: bigint;
  /** When the command is handed over to the vehicle, ns: the wall clock, or simulated time. */
  readonly forwardedNs: bigint;
}

const nothing: readonly Violation[] = [];

/** Stamps up to this, ns, can be outranked by a later one, and fit a signed 64-bit integer. */
export const latestNs = 2n ** 62n;

/** True for a command that no stop could outrank: it is never forwarded. */
export function hasUnusableStamp(command: Command): boolean {
  return createStampOf(command) > latestNs || validAfterOf(command) > latestNs;
}

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
  checkNumbers(command, settings, found);
  if (command.kind === 'trajectory') {
    const { message } = command;
    const validAfterNs = message.header.valid_after_stamp.nanoseconds;
    if (settings.trajectoryReference === 'firstUse') {
      const firstUseNs = later(validAfterNs, context.nowNs);
      // A vehicle that stands may wait for the beginning of its plan; one that moves would brake.
      const { movesFromNs } = context;
      const mayBeginLater = movesFromNs === undefined || movesFromNs >= firstUseNs;
      // A point at the very instant of use is as good as one before it.
      checkTrajectory(message, firstUseNs + 1n, mayBeginLater, found);
    } else {
      checkTrajectory(message, validAfterNs, false, found);
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
    if (createNs < periodFromNs - settings.pastToleranceNs) {
      const lateByNs = periodFromNs - createNs;
      const toleranceNs = settings.pastToleranceNs;
      found.push(violation('createdBeforePeriod', { vehicleId, lateByNs, toleranceNs }));
    }
  }
  const { futureToleranceNs, maxAheadNs, maxAgeNs } = settings;
  if (futureToleranceNs !== null && createNs > nowNs + futureToleranceNs) {
    const details = { vehicleId, aheadNs: createNs - nowNs, toleranceNs: futureToleranceNs };
    found.push(violation('createdInFuture', details));
  }
  const isUnusable = hasUnusableStamp(command);
  const farthestNs = isUnusable ? later(createNs, validAfterOf(command)) : validAfterOf(command);
  const aheadNs = farthestNs - nowNs;
  if ((maxAheadNs !== null && aheadNs > maxAheadNs) || isUnusable) {
    found.push(
      violation('validTooFarAhead', { vehicleId, aheadNs, maxAheadNs: maxAheadNs ?? latestNs }),
    );
  }
  const ageNs = context.forwardedNs - createNs;
  if (maxAgeNs !== null && ageNs > maxAgeNs) {
    found.push(violation('tooOld', { vehicleId, ageNs, maxAgeNs }));
  }
  if (lastCreateNs !== undefined && createNs <= lastCreateNs) {
    found.push(violation('notNewer', { vehicleId, olderByNs: lastCreateNs - createNs }));
  }
}
