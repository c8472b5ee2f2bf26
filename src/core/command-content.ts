import type { Command, PathPoint, PathTrackingCommand, TrajectoryCommand } from './command.js';
import { type Violation, violation } from './violation.js';

/** Smallest trajectory a vehicle can interpolate on (CPM Lab middleware). */
const MIN_TRAJECTORY_POINTS = 3;

/** Smallest path (CPM Lab middleware). */
const MIN_PATH_POINTS = 2;

/** All numbers are finite, throttle and steering between -1 and 1. */
export function checkNumbers(command: Command, found: Violation[]): void {
  const field = firstNotFinite(command);
  const vehicleId = command.message.vehicle_id;
  if (field !== null) found.push(violation('notFinite', { vehicleId, field }));
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
 */
export function checkTrajectory(
  message: TrajectoryCommand,
  referenceNs: bigint,
  found: Violation[],
): void {
  const { vehicle_id: vehicleId, trajectory_points: points } = message;
  if (points.length < MIN_TRAJECTORY_POINTS) {
    found.push(violation('trajectoryTooShort', { vehicleId, points: points.length }));
  }
  let past = points.findIndex((point) => point.t.nanoseconds >= referenceNs);
  if (past < 0) past = points.length;
  if (past === 0) found.push(violation('trajectoryNoPast', { vehicleId }));
  if (past === points.length) found.push(violation('trajectoryNoFuture', { vehicleId }));
  const index = firstNotRising(points, (point) => point.t.nanoseconds);
  if (index !== null) found.push(violation('trajectoryTimeOrder', { vehicleId, index }));
}

/** A path has at least 2 points, starts at s = 0, has increasing s and is closed. */
export function checkPath(
  message: PathTrackingCommand,
  closure: number | null,
  found: Violation[],
): void {
  const { vehicle_id: vehicleId, path } = message;
  if (path.length < MIN_PATH_POINTS) {
    found.push(violation('pathTooShort', { vehicleId, points: path.length }));
  }
  const first = path.at(0);
  const last = path.at(-1);
  if (first === undefined || last === undefined) return;
  if (first.s !== 0) found.push(violation('pathStart', { vehicleId, s: first.s }));
  const index = firstNotRising(path, (point) => point.s);
  if (index !== null) found.push(violation('pathOrder', { vehicleId, index }));
  if (!isClosed(first.pose, last.pose, closure)) {
    found.push(violation('pathNotClosed', { vehicleId }));
  }
}

/** Index of the first point that does not come after the one before it; NaN never does. */
function firstNotRising<P>(points: readonly P[], measure: (point: P) => bigint | number) {
  let last: P | undefined;
  for (const [index, point] of points.entries()) {
    if (last !== undefined && !(measure(point) > measure(last))) return index;
    last = point;
  }
  return null;
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

/** Name of the first field whose number is not finite; null when all are finite. */
export function firstNotFinite(command: Command): string | null {
  switch (command.kind) {
    case 'direct':
      return notFinite(command.message, ['motor_throttle', 'steering_servo']);
    case 'speedCurvature':
      return notFinite(command.message, ['speed', 'curvature']);
    case 'trajectory':
      for (const [i, point] of command.message.trajectory_points.entries()) {
        const field = notFinite(point, ['px', 'py', 'vx', 'vy']);
        if (field !== null) return `trajectory_points[${i}].${field}`;
      }
      return null;
    case 'pathTracking':
      for (const [i, point] of command.message.path.entries()) {
        const field = notFinite(point.pose, ['x', 'y', 'yaw']);
        if (field !== null) return `path[${i}].pose.${field}`;
        if (!Number.isFinite(point.s)) return `path[${i}].s`;
      }
      return notFinite(command.message, ['speed']);
  }
}

function notFinite<K extends string>(
  record: Readonly<Record<K, number>>,
  fields: readonly K[],
): string | null {
  return fields.find((name) => !Number.isFinite(record[name])) ?? null;
}
