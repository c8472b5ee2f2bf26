import type {
  Command,
  PathPoint,
  PathTrackingCommand,
  TrajectoryCommand,
  TrajectoryPoint,
} from './command.js';
import { highestTrajectorySpeed } from './trajectory-speed.js';
import { type Violation, violation } from './violation.js';

/** Smallest trajectory a vehicle can interpolate on (CPM Lab middleware). */
const minTrajectoryPoints = 3;

/** Smallest path (CPM Lab middleware). */
const minPathPoints = 2;

/**
 * A trajectory may be faster than the limit by this factor: its places and velocities are rounded, and
 * places that are rounded to millimeters make the curve between them faster.
 */
const trajectorySlack = 1.01;

/** Limits of the numbers in a command; both may be infinite. */
export interface NumberLimits {
  /** m/s */
  readonly maxSpeedMps: number;
  readonly maxMagnitude: number;
}

/**
 * All numbers are finite and within their limits, throttle and steering between -1 and 1. The speed of a
 * trajectory is that of the curve through its points, with a slack of 1 %.
 */
export function checkNumbers(command: Command, limits: NumberLimits, found: Violation[]): void {
  const vehicleId = command.message.vehicle_id;
  const { maxMagnitude, maxSpeedMps } = limits;
  const large = firstBeyond(command, Math.min(maxMagnitude, Number.MAX_VALUE));
  const field = large === null ? null : firstBeyond(command, Number.MAX_VALUE);
  if (field !== null) found.push(violation('notFinite', { vehicleId, field }));
  else if (large !== null) {
    found.push(violation('tooLarge', { vehicleId, field: large, maxMagnitude }));
  }
  const allowedMps = command.kind === 'trajectory' ? maxSpeedMps * trajectorySlack : maxSpeedMps;
  const speedMps = highestSpeed(command, allowedMps);
  if (speedMps > allowedMps) {
    const rounded = Number(speedMps.toPrecision(4));
    const shown = rounded > maxSpeedMps ? rounded : speedMps;
    found.push(violation('tooFast', { vehicleId, speedMps: shown, maxSpeedMps }));
  }
  if (command.kind !== 'direct') return;
  for (const name of ['motor_throttle', 'steering_servo'] as const) {
    const value = command.message[name];
    if (Math.abs(value) > 1) {
      found.push(violation('outOfRange', { vehicleId, field: name, value }));
    }
  }
}

/**
 * A trajectory has at least 3 points, increasing times, and points before and not before
 * `referenceNs`. The count of past points stops at the first point that is not past (CPM Lab
 * middleware).
 * @param mayBeginLater it needs no point in the past.
 */
export function checkTrajectory(
  message: TrajectoryCommand,
  referenceNs: bigint,
  mayBeginLater: boolean,
  found: Violation[],
): void {
  const { vehicle_id: vehicleId, trajectory_points: points } = message;
  if (points.length < minTrajectoryPoints) {
    found.push(violation('trajectoryTooShort', { vehicleId, points: points.length }));
  }
  // In one go: these points are most of what there is to check.
  let past = 0;
  let notRising: number | null = null;
  let lastNs = -1n;
  let index = 0;
  for (const { t } of points) {
    const { nanoseconds } = t;
    if (past === index && nanoseconds < referenceNs) past++;
    if (nanoseconds <= lastNs) notRising ??= index;
    lastNs = nanoseconds;
    index++;
  }
  if (past === 0 && !mayBeginLater) {
    const [first] = points;
    const aheadNs = first === undefined ? 0n : first.t.nanoseconds - referenceNs;
    found.push(violation('trajectoryNoPast', { vehicleId, aheadNs }));
  }
  if (past === points.length) found.push(violation('trajectoryNoFuture', { vehicleId }));
  if (notRising !== null) {
    found.push(violation('trajectoryTimeOrder', { vehicleId, index: notRising }));
  }
}

/** A path has at least 2 points, starts at s = 0, has increasing s and is closed. */
export function checkPath(
  message: PathTrackingCommand,
  closure: number | null,
  found: Violation[],
): void {
  const { vehicle_id: vehicleId, path } = message;
  if (path.length < minPathPoints) {
    found.push(violation('pathTooShort', { vehicleId, points: path.length }));
  }
  const first = path.at(0);
  const last = path.at(-1);
  if (first === undefined || last === undefined) return;
  if (first.s !== 0) found.push(violation('pathStart', { vehicleId, s: first.s }));
  // Not `<=`: a comparison with NaN is false, and NaN does not increase.
  const index = path.findIndex(({ s }, i) => i > 0 && !(s > (path[i - 1]?.s ?? NaN)));
  if (index >= 0) found.push(violation('pathOrder', { vehicleId, index }));
  if (!isClosed(first.pose, last.pose, closure)) {
    found.push(violation('pathNotClosed', { vehicleId }));
  }
}

function isClosed(a: PathPoint['pose'], b: PathPoint['pose'], closure: number | null): boolean {
  if (closure === null) return a.x === b.x && a.y === b.y && a.yaw === b.yaw;
  const turn = 2 * Math.PI;
  const yaw = a.yaw - b.yaw;
  return (
    Math.abs(a.x - b.x) <= closure &&
    Math.abs(a.y - b.y) <= closure &&
    Math.abs(yaw - turn * Math.round(yaw / turn)) <= closure
  );
}

/**
 * The highest speed that a command asks for, m/s; 0 where it is given by throttle. That of a trajectory
 * is an upper bound, which is tight above `allowedMps`.
 */
function highestSpeed(command: Command, allowedMps: number): number {
  switch (command.kind) {
    case 'direct':
      return 0;
    case 'speedCurvature':
    case 'pathTracking':
      return Math.abs(command.message.speed);
    case 'trajectory':
      return highestTrajectorySpeed(command.message.trajectory_points, allowedMps);
  }
}

/** Name of the first field whose number is not finite; null when all are finite. */
export function firstNotFinite(command: Command): string | null {
  return firstBeyond(command, Number.MAX_VALUE);
}

const pointFields = ['px', 'py', 'vx', 'vy'] as const;
const poseFields = ['x', 'y', 'yaw'] as const;

/** Name of the first field whose magnitude is above the limit, or no number. */
function firstBeyond(command: Command, limit: number): string | null {
  switch (command.kind) {
    case 'direct':
      return beyond(command.message, ['motor_throttle', 'steering_servo'], limit);
    case 'speedCurvature':
      return beyond(command.message, ['speed', 'curvature'], limit);
    case 'trajectory':
      return beyondInTrajectory(command.message.trajectory_points, limit);
    case 'pathTracking':
      for (const [i, point] of command.message.path.entries()) {
        const field = beyond(point.pose, poseFields, limit);
        if (field !== null) return `path[${i}].pose.${field}`;
        if (!(Math.abs(point.s) <= limit)) return `path[${i}].s`;
      }
      return beyond(command.message, ['speed'], limit);
  }
}

function beyondInTrajectory(points: readonly TrajectoryPoint[], limit: number): string | null {
  const point = points.find((each) => !isWithin(each, limit));
  if (point === undefined) return null;
  return `trajectory_points[${points.indexOf(point)}].${beyond(point, pointFields, limit)}`;
}

/** As {@link beyond}, without a look-up by name for each number of each point. */
function isWithin({ px, py, vx, vy }: TrajectoryPoint, limit: number): boolean {
  const place = Math.abs(px) <= limit && Math.abs(py) <= limit;
  return place && Math.abs(vx) <= limit && Math.abs(vy) <= limit;
}

function beyond<K extends string>(
  record: Readonly<Record<K, number>>,
  fields: readonly K[],
  limit: number,
): string | null {
  return fields.find((name) => !(Math.abs(record[name]) <= limit)) ?? null;
}
