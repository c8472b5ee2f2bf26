import { nsPerMs, nsPerS, toS } from '../time.js';
import type { Command, CommandBase, PathPoint, TrajectoryPoint } from '../command.js';
import { planTime, type Forwarded } from './forwarded-commands.js';
import type { PlannedPath } from './planned-path.js';
import type { StopPlace } from './stop-place.js';
import type { Pose } from './vehicle-motion.js';

/**
 * Points of a braking profile between its beginning and rest; with those around them fewer than the
 * 100 to which the code generator of RTI bounds a sequence.
 */
const steps = 24;

/** A profile that would be over sooner than this is rest, s. */
const shortestS = 1e-3;

/** A profile reaches this far beyond its end, ns: a vehicle needs a point in the future. */
const restNs = nsPerS;

/**
 * A profile begins this long before the vehicle brakes, ns: a vehicle needs a point in the past, also where it
 * brakes a little later only.
 */
const leadNs = 130n * nsPerMs;

/** How a vehicle is to brake from now on. */
export interface Braking {
  /** Speed from which it brakes, m/s, 0 or more; 0: it is to stand still at once. */
  readonly speedMps: number;
  /** m/s², above 0. */
  readonly brakingMps2: number;
  /** Now on the clock of the stamps, ns. */
  readonly stampNs: bigint;
  /** Where it was last seen, however long ago; null where it never was. */
  readonly pose: Pose | null;
  /** Where it is by the trajectory that was forwarded last; null where none was, or its place is not known. */
  readonly place: StopPlace | null;
}

/** The stamps of a command, ns. */
export interface Stamps {
  readonly createNs: bigint;
  readonly validNs: bigint;
}

/**
 * The command that brings a vehicle to rest, of the kind that was forwarded: throttle 0 with the
 * steering kept, speed 0 with the curvature kept, a braking profile on the planned path, or the path
 * with the speed of now. Numbers that no vehicle can use are replaced by 0.
 */
export function stopCommand({ command }: Forwarded, braking: Braking, stamps: Stamps): Command {
  // Fields that are added after a spread take V8 long.
  const { vehicle_id, header } = baseOf(command, stamps);
  switch (command.kind) {
    case 'direct': {
      const steering_servo = bounded(command.message.steering_servo, 1);
      return { kind: 'direct', message: { vehicle_id, header, motor_throttle: 0, steering_servo } };
    }
    case 'speedCurvature': {
      const curvature = bounded(command.message.curvature, 1e3);
      return { kind: 'speedCurvature', message: { vehicle_id, header, speed: 0, curvature } };
    }
    case 'trajectory': {
      // Simulated time begins at 0: at its very beginning there is no point in the past.
      const trajectory_points = brakingProfile(braking).filter(({ t }) => t.nanoseconds >= 0n);
      return { kind: 'trajectory', message: { vehicle_id, header, trajectory_points } };
    }
    case 'pathTracking': {
      const { speed } = command.message;
      const path = command.message.path.length > 0 ? command.message.path : pathAt(braking);
      const slowed = speed < 0 && braking.speedMps > 0 ? -braking.speedMps : braking.speedMps;
      return { kind: 'pathTracking', message: { vehicle_id, header, path, speed: slowed } };
    }
  }
}

/** True for a plan that is not known: without a place, a stop of this kind would be a way to somewhere. */
export function needsPlace({ command }: Forwarded): boolean {
  return command.kind === 'trajectory' && command.message.trajectory_points.length === 0;
}

/** A closed path where the vehicle is, for one that stands still on it. */
function pathAt({ pose: seen }: Braking): PathPoint[] {
  const { x, y, yaw } = seen ?? { x: 0, y: 0, yaw: 0 };
  const ahead = { x: x + Math.cos(yaw), y: y + Math.sin(yaw), yaw };
  return [{ x, y, yaw }, ahead, { x, y, yaw }].map((pose, s) => ({ pose, s }));
}

/** The command once more, with these stamps. */
export function restamped({ command }: Forwarded, stamps: Stamps): Command {
  const message = { ...command.message, ...baseOf(command, stamps) };
  // Kind and message belong together; the compiler cannot see that through the union.
  return { kind: command.kind, message } as Command;
}

/** Stands for a command whose content is not known: what a vehicle that stands was sent. */
export function unseenCommand(kind: Command['kind'], id: number, stamps: Stamps): Command {
  const base = headed(id, stamps);
  switch (kind) {
    case 'direct':
      return { kind, message: { ...base, motor_throttle: 0, steering_servo: 0 } };
    case 'speedCurvature':
      return { kind, message: { ...base, speed: 0, curvature: 0 } };
    case 'trajectory':
      return { kind, message: { ...base, trajectory_points: [] } };
    case 'pathTracking':
      return { kind, message: { ...base, path: [], speed: 0 } };
  }
}

/** A command that asks for more than this says nothing of the speed of its vehicle, m/s. */
const impossibleMps = 100;

/**
 * Speed that a command asks for now, m/s, 0 or more. That of throttle is not known, and that of a command
 * which no vehicle can follow neither: both count as 0.
 */
export function commandedSpeed(last: Forwarded, nowNs: bigint): number {
  const { command } = last;
  switch (command.kind) {
    case 'direct':
      return 0;
    case 'speedCurvature':
    case 'pathTracking':
      return possible(Math.abs(command.message.speed));
    case 'trajectory': {
      const tNs = planTime(last, nowNs);
      return possible(last.plan?.pathAt(tNs)?.atTime(tNs).speed ?? 0);
    }
  }
}

/**
 * Which way a command drives: -1 backwards, 1 forwards, 0 where it does not say. A trajectory says where, and not how
 * the vehicle is turned.
 */
export function directionOf({ command }: Forwarded): number {
  switch (command.kind) {
    case 'pathTracking':
    case 'speedCurvature':
      return Math.sign(command.message.speed);
    case 'direct':
    case 'trajectory':
      return 0;
  }
}

/** The profile on the path that was planned, from where the vehicle is; rest where it is off that path. */
function brakingProfile({ speedMps, brakingMps2, place, stampNs }: Braking): TrajectoryPoint[] {
  if (!place?.path) return rest(place ?? { x: 0, y: 0 }, stampNs);
  const { path, s } = place;
  // Rest at the end of the plan at the latest.
  const braking2 = Math.max(brakingMps2, speedMps ** 2 / (2 * Math.max(path.length - s, 1e-6)));
  const durationS = speedMps / braking2;
  if (durationS < shortestS) return rest(path.at(s), stampNs);
  const points = [pointAt(path, s - speedMps * toS(leadNs), speedMps, stampNs - leadNs)];
  for (let step = 0; step <= steps; step++) {
    const t = (durationS * step) / steps;
    const driven = speedMps * t - (braking2 * t * t) / 2;
    const speed = step === steps ? 0 : speedMps - braking2 * t;
    points.push(pointAt(path, s + driven, speed, stampNs + nanoseconds(t)));
  }
  const end = path.at(s + speedMps ** 2 / (2 * braking2));
  points.push(still(end, stampNs + nanoseconds(durationS) + restNs));
  return points;
}

function pointAt(path: PlannedPath, s: number, speed: number, atNs: bigint): TrajectoryPoint {
  const { x, y, dx, dy } = path.at(s);
  return { t: { nanoseconds: atNs }, px: x, py: y, vx: dx * speed, vy: dy * speed };
}

function rest(place: { readonly x: number; readonly y: number }, nowNs: bigint): TrajectoryPoint[] {
  return [nowNs - leadNs, nowNs, nowNs + restNs].map((atNs) => still(place, atNs));
}

function still(
  { x, y }: { readonly x: number; readonly y: number },
  atNs: bigint,
): TrajectoryPoint {
  return { t: { nanoseconds: atNs }, px: x, py: y, vx: 0, vy: 0 };
}

function baseOf({ message }: Command, stamps: Stamps): CommandBase {
  return headed(message.vehicle_id, stamps);
}

function headed(id: number, { createNs, validNs }: Stamps): CommandBase {
  const header = {
    create_stamp: { nanoseconds: createNs },
    valid_after_stamp: { nanoseconds: validNs },
  };
  return { vehicle_id: id, header };
}

function bounded(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, finiteOr0(value)));
}

/** The speed, m/s; 0 where no vehicle has it. */
export function possible(speedMps: number): number {
  return speedMps <= impossibleMps ? speedMps : 0;
}

function finiteOr0(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

function nanoseconds(s: number): bigint {
  return BigInt(Math.round(s * Number(nsPerS)));
}

/** True for a plan that says nothing about now. */
export function isOver(command: Command, stampNs: bigint): boolean {
  if (command.kind !== 'trajectory') return false;
  const end = command.message.trajectory_points.at(-1);
  return end === undefined || end.t.nanoseconds <= stampNs;
}
