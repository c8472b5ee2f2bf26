import { toS, type Command, type Stamp } from '../core/index.js';
import type { ControllerScript, ScriptStep } from './controller-script.js';

/** How far a field may differ. */
export interface Tolerances {
  /** Of all fields that have none of their own. */
  readonly forAll: number;
  /** By the name of the field in `idl/`, for example `speed`. */
  readonly byField: ReadonlyMap<string, number>;
}

/** A command that differs from the recorded one. */
export interface CommandDifference {
  readonly vehicle: number;
  readonly kind: Command['kind'];
  /** Number of the start signal in the recording, from 0. */
  readonly step: number;
  /** Time of the start signal, ns. */
  readonly tNowNs: string;
  /** For example `trajectory_points[2].px`; null: the whole command. */
  readonly field: string | null;
  /** In the unit of the field; of times: seconds after the start signal. Null: no command. */
  readonly recorded: number | null;
  readonly replayed: number | null;
  readonly tolerance: number;
}

/** A number of a command, and the name that its tolerance has. */
export interface Value {
  readonly path: string;
  readonly name: string;
  readonly value: number;
}

/** The differences of the commands of one step, by vehicle and kind, in the order of the recording. */
export function compareStep(
  step: number,
  { tNowNs, commands: recorded }: ScriptStep,
  replayed: ReadonlyMap<string, Command>,
  tolerances: Tolerances,
  mode: ControllerScript['mode'],
): CommandDifference[] {
  const keys = [...new Set([...recorded.keys(), ...replayed.keys()])].sort();
  return keys.flatMap((key) => {
    const before = recorded.get(key);
    const now = replayed.get(key);
    // One that is absent counts as no answer.
    if (now === undefined) return [];
    const { kind, message } = now;
    const place = { vehicle: message.vehicle_id, kind, step, tNowNs: tNowNs.toString() };
    if (before === undefined) {
      return [{ ...place, field: null, recorded: 0, replayed: 1, tolerance: 0 }];
    }
    const first = differingValue(
      valuesOf(before, tNowNs, mode),
      valuesOf(now, tNowNs, mode),
      tolerances,
    );
    return first === undefined ? [] : [{ ...place, ...first }];
  });
}

function differingValue(
  recorded: readonly Value[],
  replayed: readonly Value[],
  { forAll, byField }: Tolerances,
): Pick<CommandDifference, 'field' | 'recorded' | 'replayed' | 'tolerance'> | undefined {
  const count = Math.max(recorded.length, replayed.length);
  for (let i = 0; i < count; i++) {
    const before = recorded[i];
    const now = replayed[i];
    const { path = '', name = '' } = before ?? now ?? {};
    const tolerance = byField.get(name) ?? forAll;
    const isSame =
      before !== undefined &&
      before.path === now?.path &&
      (Object.is(before.value, now.value) || Math.abs(before.value - now.value) <= tolerance);
    if (!isSame) {
      const values = { recorded: before?.value ?? null, replayed: now?.value ?? null };
      return { field: path, ...values, tolerance };
    }
  }
  return undefined;
}

/**
 * The numbers of a command, in the order of `idl/`. Times are seconds after the start signal. In real
 * time, controllers stamp with the wall clock: there the stamps of the header are left out, and other
 * times are seconds after the create stamp.
 */
export function valuesOf(
  command: Command,
  tNowNs: bigint,
  mode: ControllerScript['mode'],
): readonly Value[] {
  const { header } = command.message;
  const createNs = header.create_stamp.nanoseconds;
  const originNs = mode === 'simulated' ? tNowNs : createNs;
  const value = (path: string, name: string, number: number): Value => ({
    path,
    name,
    value: number,
  });
  const time = (path: string, name: string, { nanoseconds }: Stamp): Value =>
    value(path, name, toS(nanoseconds - originNs));
  const stamps =
    mode === 'simulated'
      ? [
          time('header.create_stamp', 'create_stamp', header.create_stamp),
          time('header.valid_after_stamp', 'valid_after_stamp', header.valid_after_stamp),
        ]
      : [];
  switch (command.kind) {
    case 'direct': {
      const { motor_throttle, steering_servo } = command.message;
      return [
        ...stamps,
        value('motor_throttle', 'motor_throttle', motor_throttle),
        value('steering_servo', 'steering_servo', steering_servo),
      ];
    }
    case 'speedCurvature': {
      const { speed, curvature } = command.message;
      return [
        ...stamps,
        value('speed', 'speed', speed),
        value('curvature', 'curvature', curvature),
      ];
    }
    case 'trajectory':
      return [
        ...stamps,
        ...command.message.trajectory_points.flatMap(({ t, px, py, vx, vy }, i) => {
          const at = `trajectory_points[${i}]`;
          return [
            time(`${at}.t`, 't', t),
            value(`${at}.px`, 'px', px),
            value(`${at}.py`, 'py', py),
            value(`${at}.vx`, 'vx', vx),
            value(`${at}.vy`, 'vy', vy),
          ];
        }),
      ];
    case 'pathTracking':
      return [
        ...stamps,
        value('speed', 'speed', command.message.speed),
        ...command.message.path.flatMap(({ pose, s }, i) => {
          const at = `path[${i}]`;
          return [
            value(`${at}.pose.x`, 'x', pose.x),
            value(`${at}.pose.y`, 'y', pose.y),
            value(`${at}.pose.yaw`, 'yaw', pose.yaw),
            value(`${at}.s`, 's', s),
          ];
        }),
      ];
  }
}
